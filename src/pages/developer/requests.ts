import type { FastifyInstance } from 'fastify'
import type { Text } from '../../words/text.ts'
import { createTabbedPages } from '../account/tabs.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { momentOf } from '../rendering/render.ts'
import { type DeveloperPagesDependencies, type OwnerVisit, ownerGate } from './gate.ts'

const longestId = 128

/** A reason without words is shown as its code, which the guide explains. */
const reasonOf = ({ activity, developer }: Text, code: string): string => {
  const words: Record<string, string> = {
    ...activity.reasons,
    ...developer.requests.clientReasons,
  }
  return Object.hasOwn(words, code) ? (words[code] as string) : developer.requests.otherReason(code)
}

/** The page on which an owner finds why a request of the app was refused, and how much the app is used. */
export const developerRequests = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  const { appRequests } = deps
  const showPage = createTabbedPages(deps)

  const show = async (visit: OwnerVisit) => {
    const { request, text, owned, base } = visit
    const words = text.developer.requests
    const sought = queried(request, 'request_id').trim().slice(0, longestId)
    const { clientId, name } = owned.app
    const [refusals, usage] = await Promise.all([
      appRequests.refusals(clientId, sought || null),
      appRequests.usage(clientId),
    ])
    return showPage(visit, 'developer', 'developer-requests', {
      title: words.title,
      heading: words.heading(name),
      action: `${base}/requests`,
      sought,
      refusals: refusals.map(({ at, requestId, reason }) => ({
        at: momentOf(text, at, 'moment'),
        requestId,
        code: reason,
        words: words.because(reasonOf(text, reason)),
      })),
      issued: usage.issued === 0 ? null : text.formats.number(usage.issued),
      refused: usage.refused.map(({ reason, count }) =>
        words.counted(reasonOf(text, reason), count),
      ),
      backUrl: base,
    })
  }

  scope.get('/developer/apps/:client_id/requests', ownerGate(deps)(show))
}
