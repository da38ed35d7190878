// Who may open a page: signed-in users, with a passkey before administering, and after a recent sign-in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import { isRecentSignIn } from '../../core/people/recent-sign-in.ts'
import { causeOf } from '../../http/browser/browser.ts'
import type { PageVisit } from '../rendering/forms/blocks-page.ts'
import type { Reader } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { signInUrl } from './page.ts'
import type { Administering, PageServices, RecentSignIn } from './services.ts'

export interface UserVisit extends PageVisit, Reader {
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
      return visit.renderer.notFound(visit.request, visit.reply, visit.session)
    }
  }

/** Lets users in who are signed in. Others sign in first, and then come to the page. */
export const createUserGate =
  ({ browser, renderer, catalogue }: Pick<PageServices, 'browser' | 'renderer' | 'catalogue'>) =>
  (work: Work<UserVisit>, pageOf = ({ url }: FastifyRequest) => url) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(pageOf(request)), 303)
    const cause = causeOf(request, session)
    return work({ renderer, catalogue, request, reply, text: textOf(request), session, cause })
  }

/**
 * ```ts
 * if (!administering.mayAdminister(session)) return administering.askForPasskey(reply, request.url)
 * ```
 * @param admins ADMIN_PASSKEY_REQUIRED
 * @param operators OPERATOR_PASSKEY_REQUIRED
 * @param withPasskeys false: browsers offer no passkeys at this address, or only the platform's provider signs in
 */
export const createAdministering = (rules: {
  admins: boolean
  operators: boolean
  withPasskeys: boolean
}): Administering => ({
  mayAdminister: ({ methods, isOperator }) => {
    const needsMore = isOperator && rules.operators
    if (needsMore && rules.withPasskeys) return methods.includes('passkey')
    return !(rules.admins || needsMore) || methods.some((one) => one !== 'password')
  },
  askForPasskey: (reply, returnTo) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`/account/confirm?${new URLSearchParams({ return_to: returnTo })}`, 303),
})

/**
 * @param within seconds (RECENT_SIGN_IN_SECONDS)
 * @param now milliseconds since 1970
 */
export const createRecentSignIn = (within: number, now: () => number): RecentSignIn => ({
  isRecent: ({ authenticatedAt }) => isRecentSignIn(authenticatedAt, now(), within),
  askAgain: (reply, returnTo) =>
    reply.header('cache-control', 'no-store').redirect(signInUrl(returnTo, 'confirm'), 303),
})
