import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../domain/identifiers.ts'
import type { Origin } from '../../services/audit.ts'
import { NotFound } from '../../services/refusals.ts'
import { problem, sendProblem } from '../problem.ts'

export interface GuardOptions {
  /** Whose token is this? Must compare in constant time or by digest. */
  isOperator(token: string): Promise<{ id: string } | null>
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

/**
 * Lets operators in and nobody else, before anything of the request is read;
 * then ids in the path that cannot be ids at all are not found, without asking the store.
 */
export const guard = (scope: FastifyInstance, { isOperator }: GuardOptions) => {
  scope.decorateRequest('operatorId', '')
  scope.addHook('onRequest', async (request, reply) => {
    const token = tokenOf(request)
    const operator = token === null ? null : await isOperator(token)
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
export const originOf = (request: FastifyRequest): Origin => ({
  actor: { kind: 'operator', id: request.operatorId },
  address: request.ip,
  requestId: request.id,
})
