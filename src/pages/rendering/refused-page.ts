import type { FastifyRequest } from 'fastify'
import type { RefusedPages } from '../../core/audit/refused-pages.ts'
import type { Browser } from '../../http/browser/browser.ts'
import { concernedBy } from '../../http/browser/concerned.ts'
import type { RefusedPageName } from '../../words/en/refused-pages.ts'

/** Why a page refuses something: the name of its words, and codes. */
export interface PageReason {
  page: RefusedPageName
  /** Stable sub-reason. */
  reason: string
  /** As of RFC 6749; null: it has no code. */
  error: string | null
}

/** Records why a page refuses something, so that its request id explains it. */
export const createRefusalRecord = (
  browser: Pick<Browser, 'session'>,
  refusedPages: Pick<RefusedPages, 'record'>,
) => {
  /** The store of sessions may be the reason why the server cannot answer. */
  const personOf = (request: FastifyRequest, status: number) =>
    status >= 500 ? null : browser.session(request).catch(() => null)

  return async (request: FastifyRequest, why: PageReason, status: number, own: object) => {
    const { organization } = own as { organization?: { id?: string } | null }
    const { organizationId: known, clientId } = concernedBy(request)
    const organizationId = known ?? organization?.id ?? null
    const userId = (await personOf(request, status))?.user.id ?? null
    const detail = { ...why, status, endpoint: request.routeOptions.url ?? null }
    const { id: requestId, ip: address } = request
    refusedPages.record({ requestId, organizationId, clientId, userId, address, detail })
  }
}
