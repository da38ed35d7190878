import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent, type Cause } from '../../core/audit/audit.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { problem, sendProblem } from '../oauth/problem.ts'

export interface GuardOptions {
  /** Whose token is this? Must compare in constant time or by digest. */
  isOperator(token: string): Promise<{ id: string } | null>
  limits: Pick<Limits, 'operatorFailed' | 'repeatedOperatorFailure'>
  audit: AuditTrail
  /** Counts a request with a wrong token. */
  operatorRefused(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on requests of the Operator API, once their token is verified. */
    operatorId: string
  }
}

// RFC 6750 §2.1, but any visible characters: the operator may have chosen the token.
const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i

const challenge = 'Bearer realm="latchkey-operator"'

const tokenOf = (request: FastifyRequest) =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

const markOf = (token: string) => createHash('sha256').update(token).digest('base64')

/**
 * Counts and audits a wrong token; the right one is let in however many wrong ones came before it. Beyond the limit no
 * more is written to the trail.
 * @throws OAuthError slow_down
 */
const countWrongToken = async (
  request: FastifyRequest,
  token: string,
  { limits, audit, operatorRefused }: GuardOptions,
) => {
  operatorRefused()
  await limits.operatorFailed(request.ip, markOf(token)).catch((error) => {
    // A store that is away must not turn a refusal into anything else.
    if (error instanceof OAuthError) throw error
  })
  const cause: Cause = {
    actor: { kind: 'anonymous', id: null },
    address: request.ip,
    requestId: request.id,
  }
  audit.record(auditEvent(cause, 'operator_token.refused', { detail: { reason: 'wrong_token' } }))
}

/**
 * Lets operators in and nobody else, before anything of the request is read;
 * then ids in the path that cannot be ids at all are not found, without asking the store.
 */
export const guard = (scope: FastifyInstance, options: GuardOptions) => {
  const { isOperator, limits } = options

  const operatorOf = async (request: FastifyRequest, token: string) => {
    const repeated = limits.repeatedOperatorFailure(request.ip, () => markOf(token))
    if (repeated) {
      options.operatorRefused()
      throw repeated
    }
    const operator = await isOperator(token)
    if (operator === null) await countWrongToken(request, token, options)
    return operator
  }

  scope.decorateRequest('operatorId', '')
  scope.addHook('onRequest', async (request, reply) => {
    const token = tokenOf(request)
    const operator = token === null ? null : await operatorOf(request, token)
    if (!operator) {
      // RFC 6750 §3.1: only whoever sent a token is told that it is a bad one.
      const error = token === null ? '' : ', error="invalid_token"'
      reply.header('www-authenticate', challenge + error)
      request.log.info(
        { status: 401, reason: token === null ? 'no_token' : 'wrong_token' },
        'refused',
      )
      return sendProblem(request, reply, problem(401, 'an operator token is needed'))
    }
    request.operatorId = operator.id
    const ids = Object.values((request.params ?? {}) as Record<string, string>)
    if (!request.is404 && !ids.every(isIdShaped)) throw new NotFound('resource')
    return undefined
  })
}

/** Who causes a change, for the audit trail. */
export const causeOf = (request: FastifyRequest): Cause => ({
  actor: { kind: 'operator', id: request.operatorId },
  address: request.ip,
  requestId: request.id,
})
