import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../../core/authorization/requests.ts'
import type { App } from '../../../core/clients/app.ts'
import type { Session } from '../../../core/people/sessions.ts'

/** Everything that one visit of a page of an authorization request works with. */
export interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  pending: AuthorizationRequest
  app: App
  session: Session
}
