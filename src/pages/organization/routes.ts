// Pages and forms of an organization's admins.
import type { FastifyInstance } from 'fastify'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Phrase } from '../../words/phrase.ts'
import { createFormPages, type FormSpec, partOf } from '../rendering/forms/form-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { type ServiceForm, serviceWork } from '../rendering/forms/service-form.ts'
import type { Work } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { showParts, type Tab } from './frame.ts'
import { type AdminVisit, createOrganizationGates } from './gate.ts'

export interface AdminForm extends ServiceForm {
  tab: Tab
}

type Specify = (visit: AdminVisit) => Promise<AdminForm> | AdminForm

/** The form names its organization, so that it is not sent to another one. */
const named = <Spec extends FormSpec>({ organization }: AdminVisit, spec: Spec): Spec => ({
  ...spec,
  // The same object: the work may change it.
  hidden: Object.assign(spec.hidden ?? {}, { organization_id: organization.id }),
})

/** @throws NotFound for the form of another organization */
export const requireOwnForm = ({ request, organization }: AdminVisit): void => {
  const id = field(request, 'organization_id')
  if (id !== '' && id !== organization.id) throw new NotFound('organization')
}

/** Adds pages and forms for admins. Their paths are below `/organizations/:id`. */
export const createAdminRoutes = (scope: FastifyInstance, deps: PageServices) => {
  const { asAdmin } = createOrganizationGates(deps)
  const pages = createFormPages<AdminVisit, AdminForm>({
    browser: deps.browser,
    show: (visit, { tab }, page) => showParts(visit, tab, page),
    work: serviceWork,
  })
  const asForm = (specify: Specify) => async (visit: AdminVisit) =>
    named(visit, await specify(visit))
  /** For pages that send their forms to one address. */
  const forms = {
    show: (specify: Specify) => (visit: AdminVisit) => pages.get(visit, asForm(specify)),
    /** @throws NotFound for the form of another organization */
    send: (specify: Specify) => async (visit: AdminVisit) => {
      requireOwnForm(visit)
      return pages.send(visit, asForm(specify))
    },
  }
  const get = (path: string, show: Work<AdminVisit>) => {
    scope.get(`/organizations/:id${path}`, asAdmin(show))
  }
  const post = (path: string, work: Work<AdminVisit>) => {
    scope.post(`/organizations/:id${path}`, asAdmin(work))
  }
  return {
    deps,
    get,
    post,
    forms,
    form: (path: string, specify: Specify) => {
      get(path, forms.show(specify))
      post(path, forms.send(specify))
    },
  }
}

export type AdminRoutes = ReturnType<typeof createAdminRoutes>

/** A decision that needs a page of its own, because something stops working. */
export type Confirmation = Pick<FormSpec, 'heading' | 'title' | 'submit' | 'hidden'> & {
  /** What happens: for whom, when, and how to undo it. */
  points: Phrase[]
  decision: string
  action: string
  cancelUrl: string
  /** False for a decision that only gives something back. */
  isDanger?: boolean
}

/** A form that asks before a decision. Nothing is preselected. */
export const confirmation = <Asked extends Confirmation>({ points, ...rest }: Asked) => ({
  isDanger: true,
  ...rest,
  blocks: [{ kind: 'points' as const, points }],
  fields: [],
})

/** Asks before a decision that another page takes. */
export const showConfirmation = async (visit: AdminVisit, tab: Tab, asked: Confirmation) =>
  showParts(visit, tab, await partOf(visit, named(visit, confirmation(asked))))
