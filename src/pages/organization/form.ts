// Forms of an organization's admins.
import type { FastifyReply } from 'fastify'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { Phrase } from '../../words/phrase.ts'
import { showBlocks } from '../rendering/forms/blocks-page.ts'
import { createFormPages, type FormSpec, partOf } from '../rendering/forms/form-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { type ServiceForm, serviceWork } from '../rendering/forms/service-form.ts'
import type { Renderer } from '../rendering/render.ts'
import type { AdminVisit } from './gate.ts'
import { organizationTabs } from './tabs.ts'

type Tab = Parameters<typeof organizationTabs>[2]

/** What is around the blocks of a page. */
export const adminFrame = ({ text, organization }: AdminVisit, tab: Tab) => ({
  ...organizationTabs(text, organization, tab),
  navigation: text.organization.navigation,
})

export interface AdminForm extends ServiceForm {
  tab: Tab
}

type Specify = (visit: AdminVisit) => Promise<AdminForm> | AdminForm

/** The form names its organization, so that it is not sent to another one. */
const named = <Spec extends FormSpec>({ organization }: AdminVisit, spec: Spec): Spec => ({
  ...spec,
  hidden: { organization_id: organization.id, ...spec.hidden },
})

export const createAdminForms = ({
  browser,
  renderer,
}: {
  browser: Pick<Browser, 'sessionMark'>
  renderer: Renderer
}) => {
  const forms = createFormPages<AdminVisit, AdminForm>({
    browser,
    show: (visit, { tab }, page) => showBlocks(renderer, visit, adminFrame(visit, tab), page),
    work: serviceWork,
  })
  return {
    show: (specify: Specify) => (visit: AdminVisit) =>
      forms.get(visit, async () => named(visit, await specify(visit))),
    /** @throws NotFound for the form of another organization */
    send: (specify: Specify) => (visit: AdminVisit) => {
      const id = field(visit.request, 'organization_id')
      if (id !== '' && id !== visit.organization.id) throw new NotFound('organization')
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
export const confirmation = ({ points, isDanger = true, ...spec }: Confirmation) => ({
  ...spec,
  isDanger,
  blocks: [{ kind: 'points' as const, points }],
  fields: [],
})

/** Asks before a decision that another page takes. */
export const showConfirmation = async (
  renderer: Renderer,
  visit: AdminVisit,
  tab: Tab,
  asked: Confirmation,
): Promise<FastifyReply> =>
  showBlocks(
    renderer,
    visit,
    adminFrame(visit, tab),
    await partOf(visit, named(visit, confirmation(asked))),
  )
