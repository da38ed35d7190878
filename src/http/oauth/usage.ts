import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../core/language/errors.ts'
import { dayOf, parseEdge } from '../../core/language/period.ts'
import type { PermissionReport } from '../../core/organizations/permission-use.ts'

/** Bytes. */
export const largestReport = 1024 * 1024
const mostCounts = 2000
const longestPeriod = 24 * 3600 * 1000
const mostAhead = 60_000 // ms
const keyShape = /^[\x21-\x7e]{1,255}$/

type Fields = Record<string, unknown>

/** Postgres stores no NUL. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\0]{1,256}$/.test(value)

const timeOf = (edge: unknown) =>
  (isText(edge) && edge.includes('T') ? parseEdge('from', edge) : null) ?? Number.NaN

/**
 * Reads what a data API reports about the permissions that it granted.
 * @param now milliseconds since 1970
 * @throws OAuthError invalid_request
 */
export const readUsageReport = (
  { body, headers }: FastifyRequest,
  now: number,
): Omit<PermissionReport, 'clientId'> => {
  const demand: (isGood: boolean) => asserts isGood = (isGood) => {
    if (!isGood) throw invalidRequest('the report of use is malformed', 'usage_malformed')
  }
  const key = headers['idempotency-key']?.toString() ?? null
  const { from, to, counts } = (body ?? {}) as Fields
  const [first, last] = [timeOf(from), timeOf(to)]
  demand(key === null || keyShape.test(key))
  demand(first <= last && last - first <= longestPeriod && last <= now + mostAhead)
  demand(Array.isArray(counts) && counts.length <= mostCounts)
  const parts = counts.map((part: Fields | null) => {
    const { client_id: clientId, organization_id: organizationId, permission, count } = part ?? {}
    demand(isText(clientId) && isText(organizationId) && isText(permission))
    demand(Number.isSafeInteger(count) && (count as number) >= 0)
    return { clientId, organizationId, permission, count: count as number }
  })
  return { day: dayOf(last), key, counts: parts }
}
