import type { FastifyInstance } from 'fastify'
import type { Limits } from '../../../core/limits/limits.ts'
import type { Browser } from '../../browser/browser.ts'

/** Out is always a way. */
const always = '/logout'

/**
 * How many forms a person may send. After the anti-forgery field was looked at: what another site makes a browser send
 * does not count, or that site could use up what somebody has. Who is not signed in changes nothing here but by signing
 * in, which has limits of its own.
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
