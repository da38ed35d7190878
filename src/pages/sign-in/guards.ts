// Who may open a page: signed-in users, with a passkey before administering, and after a recent sign-in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import { isRecentSignIn } from '../../core/people/recent-sign-in.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import type { PageVisit } from '../rendering/framed-page.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { signInUrl } from './page.ts'

/** What the pages of signed-in users need. */
export interface UserPagesDependencies {
  browser: Browser
  renderer: Renderer
  administering: Administering
  recentSignIn: RecentSignIn
}

export interface UserVisit extends PageVisit {
  text: Text
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
  ({ browser, renderer }: { browser: Pick<Browser, 'session'>; renderer: Renderer }) =>
  (work: Work<UserVisit>, pageOf = ({ url }: FastifyRequest) => url) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(pageOf(request)), 303)
    const cause = causeOf(request, session)
    return work({ renderer, request, reply, text: textOf(request), session, cause })
  }

/** Guards every page on which an admin administers an organization. */
export interface Administering {
  /** false when the session has only a password, but the user is an operator or the configuration requires more. */
  mayAdminister(session: Session): boolean
  /** Redirects to a page that asks for a passkey or adds one, and then back. */
  askForPasskey(reply: FastifyReply, returnTo: string): FastifyReply
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

/** Guards changes that give access: passkeys, key sets, apps with sensitive permissions. */
export interface RecentSignIn {
  isRecent(session: Session): boolean
  /** Redirects to sign in again, and then back. */
  askAgain(reply: FastifyReply, returnTo: string): FastifyReply
}

/**
 * @param within seconds (RECENT_SIGN_IN_SECONDS)
 * @param now milliseconds since 1970
 */
export const createRecentSignIn = (within: number, now: () => number): RecentSignIn => ({
  isRecent: ({ authenticatedAt }) => isRecentSignIn(authenticatedAt, now(), within),
  askAgain: (reply, returnTo) =>
    reply.header('cache-control', 'no-store').redirect(signInUrl(returnTo, 'confirm'), 303),
})
