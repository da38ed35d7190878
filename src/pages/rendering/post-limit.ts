import type { FastifyInstance } from 'fastify'
import type { Limits } from '../../core/limits/limits.ts'
import type { Browser } from '../../http/browser/browser.ts'

/** Signing out is always possible. */
const always = '/logout'

/**
 * Limits how many forms a user may send. It runs after the anti-forgery check: forms that another site makes a browser
 * send must not use up the user's limit. Visitors who are not signed in can only sign in, and that has its own limits.
 */
export const limitPosts = (
  scope: FastifyInstance,
  browser: Pick<Browser, 'session'>,
  limits: Pick<Limits, 'pagePosted'>,
) => {
  scope.addHook('preHandler', async (request) => {
    if (request.method !== 'POST' || request.routeOptions.url === always) return
    const session = await browser.session(request)
    if (session) await limits.pagePosted(session.user.id)
  })
}
