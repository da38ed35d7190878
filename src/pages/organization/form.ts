// Forms of an organization's admins.
import type { FastifyReply } from 'fastify'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { Phrase } from '../../words/phrase.ts'
import { createFormPages, type FormSpec, partOf } from '../rendering/forms/form-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { type ServiceForm, serviceWork } from '../rendering/forms/service-form.ts'
import { showParts, type Tab } from './frame.ts'
import type { AdminVisit } from './gate.ts'

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

export const createAdminForms = (browser: Pick<Browser, 'sessionMark' | 'cookie'>) => {
  const forms = createFormPages<AdminVisit, AdminForm>({
    browser,
    show: (visit, { tab }, page) => showParts(visit, tab, page),
    work: serviceWork,
  })
  return {
    show: (specify: Specify) => (visit: AdminVisit) =>
      forms.get(visit, async () => named(visit, await specify(visit))),
    /** @throws NotFound for the form of another organization */
    send: (specify: Specify) => async (visit: AdminVisit) => {
      requireOwnForm(visit)
      return forms.send(visit, async () => named(visit, await specify(visit)))
    },
  }
}

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
export const showConfirmation = async (
  visit: AdminVisit,
  tab: Tab,
  asked: Confirmation,
): Promise<FastifyReply> =>
  showParts(visit, tab, await partOf(visit, named(visit, confirmation(asked))))
