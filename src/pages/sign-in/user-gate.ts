import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { signInUrl } from './page.ts'

/** One visit of a signed-in user to a page. */
export interface UserVisit {
  renderer: Renderer
  request: FastifyRequest
  reply: FastifyReply
  text: Text
  session: Session
  cause: Cause
}

export type Work<Visit> = (visit: Visit) => Promise<FastifyReply>

/** Nothing is found for a user without the right. */
export const orNotFound =
  <Visit extends UserVisit>(work: Work<Visit>): Work<Visit> =>
  async (visit) => {
    try {
      return await work(visit)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return visit.renderer.notFound(visit.request, visit.reply)
    }
  }

/** Lets users in who are signed in. Others sign in first, and then come to the page. */
export const createUserGate =
  ({ browser, renderer }: { browser: Pick<Browser, 'session'>; renderer: Renderer }) =>
  (work: Work<UserVisit>, pageOf = ({ url }: FastifyRequest) => url) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(pageOf(request)), 303)
    const cause = causeOf(request, session)
    return work({ renderer, request, reply, text: textOf(request), session, cause })
  }
