import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Operator } from '../../core/credentials/operator-permissions.ts'
import { isClientIdShaped, isIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import type { OperatorCause } from '../../core/people/account-guard.ts'
import { bearerTokenOf, callerOf } from '../oauth/bearer-token.ts'
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
  /** Of the server, which operators get with each answer. */
  version?: string
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

/** Where the request of the person came from, for the audit trail. */
export interface InProcessOrigin {
  operator: Operator
  address: string
  requestId: string
  /** Of the request of the person, which a call that waits for another server releases. */
  releaseSlot: FastifyRequest['releaseSlot']
}

const challenge = 'Bearer realm="latchkey-operator"'

/** Accepts requests with an operator token only. */
const requireToken = (scope: FastifyInstance, options: GuardOptions) => {
  const accepted = {
    ...{ ...options, find: options.isOperator, refused: options.operatorRefused },
    refusedEvent: 'operator_token.refused',
  } as const

  scope.decorateRequest('operator')
  scope.addHook('onRequest', async (request, reply) => {
    const token = bearerTokenOf(request)
    const operator = token === null ? null : await callerOf(request, token, accepted)
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
    if (options.version) reply.header('latchkey-version', options.version)
    return undefined
  })
}

/** Answers 404 for malformed ids in the path, without a store query. The schema of the route checks its own ids. */
const refuseMalformedIds = (scope: FastifyInstance) =>
  scope.addHook('onRequest', async (request) => {
    const { checked } = request.routeOptions.config
    // Names of permissions have another form, which their routes check.
    const isChecked = ([name, id]: [string, string]) =>
      name === 'name' ||
      name === checked ||
      (name === 'client_id' ? isClientIdShaped(id) : isIdShaped(id))
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
export const causeOf = (request: FastifyRequest): OperatorCause => ({
  actor: { kind: 'operator', id: request.operator.id },
  rights: request.operator,
  address: request.ip,
  requestId: request.id,
})
