import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent, type Cause } from '../../core/audit/audit.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { EventType } from '../../core/language/event-types.ts'
import type { Limits } from '../../core/limits/limits.ts'

/** Whose tokens a front accepts, and what becomes of wrong ones. */
export interface BearerOptions<Caller> {
  /** Finds the caller of a token. Must compare in constant time or by digest. */
  find(token: string): Promise<Caller | null>
  limits: Pick<Limits, 'operatorFailed' | 'refuseRepeatedOperator'>
  audit: AuditTrail
  /** The audit event of a wrong token. */
  refusedEvent: EventType
  /** Counts a request with a wrong token. */
  refused(): void
}

// RFC 6750 §2.1, but any visible characters: the operator may have chosen the token.
const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i

const markOf = (token: string) => createHash('sha256').update(token).digest('base64')

/** The token of `Authorization: Bearer`, or null. */
export const bearerTokenOf = (request: FastifyRequest): string | null =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

/**
 * Finds the caller of a token. Counts and audits a wrong one; a correct token is always accepted, however many wrong ones
 * came before. Beyond the limit, nothing more is audited.
 * @throws OAuthError slow_down
 */
export const callerOf = async <Caller>(
  request: FastifyRequest,
  token: string,
  { find, limits, audit, refusedEvent, refused }: BearerOptions<Caller>,
): Promise<Caller | null> => {
  try {
    limits.refuseRepeatedOperator(request.ip, () => markOf(token))
  } catch (refusal) {
    refused()
    throw refusal
  }
  const caller = await find(token)
  if (caller !== null) return caller
  refused()
  await limits.operatorFailed(request.ip, markOf(token)).catch((error) => {
    // An unavailable store must not turn a refusal into another error.
    if (error instanceof OAuthError) throw error
  })
  const actor = { kind: 'anonymous', id: null } as const
  const cause: Cause = { actor, address: request.ip, requestId: request.id }
  audit.record(auditEvent(cause, refusedEvent, { detail: { reason: 'wrong_token' } }))
  return null
}
