import type { FastifyInstance } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { createTabbedPages } from '../account/tabs.ts'
import { refusalBlocks } from '../rendering/activity/request.ts'
import { helpWords, reasonWords } from '../rendering/activity/sentences.ts'
import { type FactRow, linked, words } from '../rendering/forms/blocks.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { momentOf } from '../rendering/render.ts'
import type { PageServices } from '../sign-in/services.ts'
import { showDeveloper } from './form.ts'
import { type OwnerVisit, ownerGate } from './gate.ts'

/** The page on which an owner finds why a request of the app was refused, and how much the app is used. */
export const developerRequests = (scope: FastifyInstance, deps: PageServices) => {
  const { appRequests } = deps
  const showPage = createTabbedPages(deps)

  const show = async (visit: OwnerVisit) => {
    const { request, text, owned, base } = visit
    const said = text.developer.requests
    const sought = queried(request, 'request_id').trim()
    if (isIdShaped(sought)) return leave(visit, `${base}/requests/${sought}`)
    const { clientId, name } = owned.app
    const [refusals, usage] = await Promise.all([
      appRequests.refusals(clientId, null),
      appRequests.usage(clientId),
    ])
    return showPage(visit, 'developer', 'developer-requests', {
      title: said.title,
      heading: said.heading(name),
      action: `${base}/requests`,
      refusals: refusals.map(({ at, requestId, reason }) => ({
        at: momentOf(text, at, 'moment'),
        request:
          requestId === null ? null : { id: requestId, href: `${base}/requests/${requestId}` },
        words: said.because(reasonWords(text, reason)),
        help: helpWords(text, reason),
      })),
      issued: usage.issued === 0 ? null : text.formats.number(usage.issued),
      refused: usage.refused.map(({ reason, count }) =>
        said.counted(reasonWords(text, reason), count),
      ),
      backUrl: base,
    })
  }

  /** Requests of other apps are not found, and no organization and no person is named. */
  const explain = async (visit: OwnerVisit) => {
    const { request, text, owned, base } = visit
    const { request_id: id = '' } = request.params as Record<string, string>
    const refusals = isIdShaped(id) ? await appRequests.refusals(owned.app.clientId, id) : []
    const about: FactRow[] = [[text.explained.facts.app, linked(owned.app.name, base)]]
    return showDeveloper(deps, visit, {
      ...{ heading: text.explained.heading, subject: id, isNarrow: true },
      blocks:
        refusals.length === 0
          ? [words(text.developer.requests.notFound, 'plain')]
          : refusals.flatMap((one) => refusalBlocks(text, one, about)),
      back: { label: text.explained.another, href: `${base}/requests` },
    })
  }

  const path = '/developer/apps/:client_id/requests'
  scope.get(path, ownerGate(deps)(show))
  scope.get(`${path}/:request_id`, ownerGate(deps)(explain))
}
