import type { Cause } from '../audit/audit.ts'
import type { Limits } from '../limits/limits.ts'
import { countAttempt } from './password-attempt.ts'
import { longestPassword, type PasswordReason, passwordReasonOf } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import type { PeopleStore } from './person.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './users.ts'

/** A null token: the password was changed, but the session has ended in the meantime. */
export type PasswordChange = { token: string | null } | { fault: 'wrong' | PasswordReason }

export const createOwnPassword = (deps: {
  people: Pick<PeopleStore, 'findForSignIn'>
  passwords: Pick<Passwords, 'verify'>
  limits: Pick<Limits, 'signInAttempt'>
  users: Pick<Users, 'changePassword'>
  sessions: Pick<Sessions, 'renew'>
}) => {
  const { people, passwords, limits, users, sessions } = deps

  const hashOf = async ({ user }: Session) => {
    const found = await people.findForSignIn(user.email)
    return found?.id === user.id ? found.passwordHash : null
  }

  return {
    /** Does this user have a password here? */
    exists: async (session: Session) => (await hashOf(session)) !== null,

    /**
     * Changes the password. Revokes every session and grant made before, except this session, which continues under a
     * new token.
     * @throws OAuthError slow_down (429) after too many wrong guesses of the current password
     */
    change: async (
      session: Session,
      { current, next }: { current: string; next: string },
      cause: Cause,
    ): Promise<PasswordChange> => {
      const by = { account: session.user.email, address: cause.address }
      const guess = current.slice(0, longestPassword)
      const { matches } = await countAttempt(limits, by, async () => ({
        matches: await passwords.verify(await hashOf(session), guess, by),
      }))
      if (!matches) return { fault: 'wrong' }
      try {
        const user = await users.changePassword(session.user, next, cause)
        return user ? { token: await sessions.renew({ ...session, user }) } : { fault: 'wrong' }
      } catch (error) {
        return { fault: passwordReasonOf(error) }
      }
    },
  }
}

export type OwnPassword = ReturnType<typeof createOwnPassword>
