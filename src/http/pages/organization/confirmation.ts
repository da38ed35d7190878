import type { FastifyReply } from 'fastify'
import type { Phrase } from '../../../words/phrase.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { AdminVisit } from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

/** A decision that needs a page of its own, because something stops working. */
export interface Confirmation {
  tab: Parameters<typeof organizationTabs>[2]
  title: string
  /** The question. */
  heading: Phrase
  /** What happens: for whom, when, and how to undo it. */
  points: Phrase[]
  /** The label of the button. */
  confirm: Phrase
  decision: string
  /** Hidden fields of the form. */
  fields: Record<string, string>
  action: string
  backUrl: string
  /** False for a decision that only gives something back. */
  isDanger?: boolean
}

/** Asks before a decision. Nothing is preselected, and the form is a plain POST. */
export const showConfirmation = (
  renderer: Renderer,
  { request, reply, session, organization }: AdminVisit,
  { tab, title, fields, isDanger = true, ...own }: Confirmation,
): Promise<FastifyReply> =>
  renderer.page(
    request,
    reply,
    'organization-confirm',
    { session, title },
    {
      ...organizationTabs(textOf(request), organization, tab),
      ...own,
      isDanger,
      notice: null,
      fields: Object.entries({ organization_id: organization.id, ...fields }).map(
        ([name, value]) => ({ name, value }),
      ),
    },
  )
