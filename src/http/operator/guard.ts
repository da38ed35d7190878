import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent, type Cause } from '../../core/audit/audit.ts'
import type { Operator } from '../../core/credentials/operator-permissions.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import { problem, sendProblem } from '../oauth/problem.ts'
import { keepToOrganizations, requirePermissions } from './token-rights.ts'

export interface GuardOptions {
  /** Finds the operator of a token. Must compare in constant time or by digest. */
  isOperator(token: string): Promise<Operator | null>
  workspaces: Pick<Workspaces, 'read'>
  limits: Pick<Limits, 'operatorFailed' | 'refuseRepeatedOperator'>
  audit: AuditTrail
  /** Counts a request with a wrong token. */
  operatorRefused(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A parameter of the path that is not an id, or not an id of ours: its schema checks it. */
    checked?: string
  }
  interface FastifyRequest {
    /** Set on requests of the Operator API, once their token is verified. */
    operator: Operator
  }
}

// RFC 6750 §2.1, but any visible characters: the operator may have chosen the token.
const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i

const challenge = 'Bearer realm="latchkey-operator"'

const tokenOf = (request: FastifyRequest) =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

const markOf = (token: string) => createHash('sha256').update(token).digest('base64')

/**
 * Counts and audits a wrong token. A correct token is always accepted, however many wrong ones came before. Beyond the
 * limit, nothing more is audited.
 * @throws OAuthError slow_down
 */
const countWrongToken = async (
  request: FastifyRequest,
  token: string,
  { limits, audit, operatorRefused }: GuardOptions,
) => {
  operatorRefused()
  await limits.operatorFailed(request.ip, markOf(token)).catch((error) => {
    // An unavailable store must not turn a refusal into another error.
    if (error instanceof OAuthError) throw error
  })
  const cause: Cause = {
    actor: { kind: 'anonymous', id: null },
    address: request.ip,
    requestId: request.id,
  }
  audit.record(auditEvent(cause, 'operator_token.refused', { detail: { reason: 'wrong_token' } }))
}

/** Accepts requests with an operator token only. */
const requireToken = (scope: FastifyInstance, options: GuardOptions) => {
  const { isOperator, limits } = options

  const operatorOf = async (request: FastifyRequest, token: string) => {
    try {
      limits.refuseRepeatedOperator(request.ip, () => markOf(token))
    } catch (refusal) {
      options.operatorRefused()
      throw refusal
    }
    const operator = await isOperator(token)
    if (operator === null) await countWrongToken(request, token, options)
    return operator
  }

  scope.decorateRequest('operator')
  scope.addHook('onRequest', async (request, reply) => {
    const token = tokenOf(request)
    const operator = token === null ? null : await operatorOf(request, token)
    if (!operator) {
      // RFC 6750 §3.1: `error` is sent only when the request had a token.
      const error = token === null ? '' : ', error="invalid_token"'
      reply.header('www-authenticate', challenge + error)
      request.log.info(
        { status: 401, reason: token === null ? 'no_token' : 'wrong_token' },
        'refused',
      )
      return sendProblem(request, reply, problem(401, 'an operator token is needed'))
    }
    request.operator = operator
    return undefined
  })
}

/** Answers 404 for malformed ids in the path, without a store query. The schema of the route checks its own ids. */
const refuseMalformedIds = (scope: FastifyInstance) =>
  scope.addHook('onRequest', async (request) => {
    const { checked } = request.routeOptions.config
    // Names of permissions have another form, which their routes check.
    const isChecked = ([name, id]: [string, string]) =>
      name === 'name' || name === checked || isIdShaped(id)
    const ids = Object.entries((request.params ?? {}) as Record<string, string>)
    if (!request.is404 && !ids.every(isChecked)) throw new NotFound('resource')
  })

/** Accepts only what the operator's token may do, before the body is read. */
export const guard = (scope: FastifyInstance, options: GuardOptions) => {
  requireToken(scope, options)
  requirePermissions(scope)
  refuseMalformedIds(scope)
  keepToOrganizations(scope, options.workspaces)
}

/** The audited cause of the changes that this request makes. */
export const causeOf = (request: FastifyRequest): Cause => ({
  actor: { kind: 'operator', id: request.operator.id },
  address: request.ip,
  requestId: request.id,
})
