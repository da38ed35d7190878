import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent } from '../../core/audit/audit.ts'
import type { Refusal } from '../../core/audit/refusal.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Caller, Limits } from '../../core/limits/limits.ts'
import { claimedClientId } from './client-credentials.ts'
import { isForPage } from './foreign-page.ts'
import type { Form } from './form.ts'
import { countedGrant } from './outcome.ts'

type FailureLimits = Pick<Limits, 'clientFailed' | 'refuseRepeatedClient'>
type AttemptLimits = Pick<Limits, 'clientAttempted'>

const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  isForeignPage: isForPage(request),
})

/** Digest of all client credentials in the request and of the endpoint. It never leaves this process. */
const markOf = (request: FastifyRequest, form: Form | null) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        request.routeOptions.url,
        request.headers.authorization ?? null,
        form?.get('client_id') ?? null,
        form?.get('client_secret') ?? null,
        form?.get('client_assertion') ?? null,
      ]),
    )
    .digest('base64')

const claimedBy = (request: FastifyRequest, form: Form | null) =>
  claimedClientId(request.headers.authorization, form) ?? ''

/**
 * Refuses known wrong credentials without a store query when the sender is over its limit.
 * @throws OAuthError slow_down
 */
export const refuseRepeated = (limits: FailureLimits, request: FastifyRequest, form: Form | null) =>
  limits.refuseRepeatedClient(
    () => [callerOf(request), claimedBy(request, form)],
    () => markOf(request, form),
  )

/** Counts a secret that takes work, before the work. */
export const secretAttempt = (limits: AttemptLimits, request: FastifyRequest, form: Form) => {
  const attempt = {
    hasFailed: false,
    begin: async () => {
      const settle = await limits.clientAttempted(callerOf(request), claimedBy(request, form))
      return async (matches: boolean) => {
        attempt.hasFailed ||= !matches
        await settle(matches)
      }
    },
  }
  return attempt
}

/**
 * Counts a failed authentication of a client or resource server; any other error passes.
 * @returns the error to answer: the given one, or `slow_down` when there were too many failures
 */
export const countFailure = async (
  limits: FailureLimits,
  request: FastifyRequest,
  form: Form | null,
  error: OAuthError,
): Promise<OAuthError> => {
  if (error.code !== 'invalid_client') return error
  try {
    const mark = markOf(request, form)
    await limits.clientFailed(callerOf(request), claimedBy(request, form), mark)
    return error
  } catch (limit) {
    // An unavailable store must not turn a refusal into another error.
    return limit instanceof OAuthError ? limit : error
  }
}

/** Audits that a known client or resource server was refused. No value in the detail is chosen freely by the client. */
export const auditRefusal = (
  audit: AuditTrail,
  request: FastifyRequest,
  clientId: string | null,
  { about, reason, code, status }: OAuthError,
  form: Form | null,
): void => {
  const grant = countedGrant(form)
  const detail: Refusal = {
    ...{ reason, error: code, status, endpoint: request.routeOptions.url ?? null },
    grant: grant === 'none' ? null : grant,
  }
  const actor = { kind: 'client', id: clientId } as const
  audit.record(
    auditEvent({ actor, address: request.ip, requestId: request.id }, 'token.refused', {
      clientId,
      organizationId: about?.organizationId ?? null,
      userId: about?.userId ?? null,
      detail: { ...detail },
    }),
  )
}

/** The client id that a refused request claimed, or null when it cannot be an id. */
export const namedClient = (request: FastifyRequest, form: Form | null): string | null => {
  const claimed = claimedBy(request, form)
  return isClientIdShaped(claimed) ? claimed : null
}

/** True when this failed authentication is audited. Unknown clients are not: anyone can invent names. */
export const isAuditedFailure = ({ code, reason }: OAuthError, named: string | null): boolean =>
  code === 'invalid_client' && reason !== 'unknown_client' && named !== null
