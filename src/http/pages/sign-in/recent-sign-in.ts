import type { FastifyReply } from 'fastify'
import { isRecentSignIn } from '../../../core/people/recent-sign-in.ts'
import type { Session } from '../../../core/people/sessions.ts'
import { signInUrl } from './sign-in-page.ts'

/** The guard in front of what changes who can get in: passkeys, key sets, apps with sensitive permissions. */
export interface RecentSignIn {
  isRecent(session: Session): boolean
  /** Sends the person to sign in again, and then back here. */
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
