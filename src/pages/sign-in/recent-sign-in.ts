import type { FastifyReply } from 'fastify'
import { isRecentSignIn } from '../../core/people/recent-sign-in.ts'
import type { Session } from '../../core/people/session.ts'
import { signInUrl } from './page.ts'

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
