import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import type { Session } from '../../core/people/session.ts'

/** Context of one visit to a page of an authorization request. */
export interface InteractionVisit {
  request: FastifyRequest
  reply: FastifyReply
  pending: AuthorizationRequest
  app: App
  session: Session
}
