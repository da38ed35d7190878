// What happened to the requests of an app, for its owners: refusals with their reasons, and counts. No organization and no
// user is named.
import type { AuditLog } from '../audit/audit-log.ts'
import { type Refusal, refusalIn } from '../audit/refusal.ts'
import type { RefusedPages } from '../audit/refused-pages.ts'
import { type Day, dayOf, lastDays } from '../language/period.ts'

/** A refused request of the app. */
export interface AppRefusal extends Refusal {
  /** The page that refused it; null: it was a token request. */
  page: string | null
  at: Date
  requestId: string | null
}

export interface AppRequestsDeps {
  store: {
    /** Issued tokens (`reason`: null) and refusals by reason, most frequent first. */
    ofApp(
      clientId: string,
      period: { from: Day; to: Day },
    ): Promise<{ reason: string | null; count: number }[]>
  }
  auditLog: Pick<AuditLog, 'query'>
  refusedPages: Pick<RefusedPages, 'find'>
  /** Milliseconds since 1970. */
  now(): number
}

const mostRefusals = 20
const days = 30
const requestIdShape = /^[\x21-\x7e]{1,128}$/

export const createAppRequests = ({ store, auditLog, refusedPages, now }: AppRequestsDeps) => ({
  /**
   * The latest refusals of the app, newest first. Pages, which anyone can have refused, are found by their id only.
   * @param requestId only of this request; null: all token requests
   */
  refusals: async (clientId: string, requestId: string | null): Promise<AppRefusal[]> => {
    if (requestId !== null && !requestIdShape.test(requestId)) return []
    const filter = { clientId, type: 'token.refused', requestId }
    const { items } = await auditLog.query(filter, { limit: mostRefusals, after: null })
    const page =
      requestId && (await refusedPages.find(requestId, { organizationId: null, clientId }))
    return [...(page ? [page] : []), ...items].map(({ at, requestId, detail }) => ({
      ...{ at, requestId },
      ...refusalIn(detail),
    }))
  },

  /** Counts of the last 30 days in all organizations; refusals most frequent first. */
  usage: async (clientId: string) => {
    const period = lastDays(dayOf(now()), days)
    const counts = await store.ofApp(clientId, period)
    return {
      period,
      issued: counts.find(({ reason }) => reason === null)?.count ?? 0,
      refused: counts.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
    }
  },
})

export type AppRequests = ReturnType<typeof createAppRequests>
