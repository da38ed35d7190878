import type { Step } from '../../core/authorization/consent-steps.ts'
import { mayAskFor } from '../../core/authorization/places.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf } from '../rendering/render.ts'
import { summaryOf } from '../rendering/summary.ts'
import { blockedPage } from './blocked-page.ts'
import { contextOf, organizationFrameOf, type StepPagesDependencies } from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

type AskAdminStep = Step & { kind: 'ask_admin' }

const mostNamed = 5

/** "Kim, Lee or Sam". Long lists are shortened; null: there is no admin. */
const adminsOf = ({ formats, askAdmin }: Text, names: readonly string[]): Phrase | null => {
  if (names.length === 0) return null
  const rest = names.length > mostNamed ? [[askAdmin.anotherAdmin]] : []
  return formats.list.any([...names.slice(0, mostNamed), ...rest])
}

/** Who learns of a request. */
const seenBy = (text: Text, admins: readonly string[], mails: boolean): Phrase => {
  const { seen, told } = text.requestSent
  if (!mails) return seen(adminsOf(text, admins))
  const isNamed = admins.length > 0 && admins.length <= mostNamed
  return told(isNamed ? text.formats.list.all(admins) : null)
}

const requestForm =
  ({ renderer, catalogue, now }: StepPagesDependencies) =>
  (visit: InteractionVisit, step: AskAdminStep) => {
    const text = textOf(visit.request)
    const { refusedAt, withdrawnAt, expiredAt, install, organizationName } = step.membership
    return renderer.page(
      visit.request,
      visit.reply,
      'ask-admin',
      contextOf(visit, text.titles.askAdmin),
      {
        ...organizationFrameOf(visit, step, now),
        forPerson: install !== null,
        summary: summaryOf(text, {
          catalogue,
          api: visit.app.interface,
          permissions: step.offered,
          reach: { kind: 'organization', name: organizationName },
        }),
        expiredAt: expiredAt && momentOf(text, expiredAt),
        who: text.askAdmin.who(adminsOf(text, step.admins)),
        refusedAt: refusedAt && momentOf(text, refusedAt),
        withdrawnAt: withdrawnAt && momentOf(text, withdrawnAt),
      },
    )
  }

const requestSent =
  ({ renderer, now, mails, origin }: StepPagesDependencies) =>
  (visit: InteractionVisit, step: AskAdminStep, requestedAt: Date) => {
    const text = textOf(visit.request)
    const { organizationId, install } = step.membership
    return renderer.page(
      visit.request,
      visit.reply,
      'request-sent',
      contextOf(visit, text.titles.requestSent),
      {
        ...organizationFrameOf(visit, step, now),
        clientId: visit.app.clientId,
        forPerson: install !== null,
        seen: seenBy(text, step.admins, mails),
        adminUrl: `${origin}/organizations/${organizationId}/apps`,
        asked: momentOf(text, requestedAt),
      },
    )
  }

/** A member asks the admins for an app, sees the open request, or reads that the organization allows no requests. */
export const askAdminPage = (deps: StepPagesDependencies) => {
  const ask = requestForm(deps)
  const sent = requestSent(deps)
  const blocked = blockedPage(deps)
  return (visit: InteractionVisit, step: AskAdminStep) => {
    const { requestedAt } = step.membership
    if (requestedAt) return sent(visit, step, requestedAt)
    if (!mayAskFor(step.membership))
      return blocked(visit, step, textOf(visit.request).error.appsClosed)
    return ask(visit, step)
  }
}
