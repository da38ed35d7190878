import { type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { networkOf } from '../language/ip-address.ts'
import { createCounts } from '../limits/counts.ts'
import { type Caller, overload } from '../limits/fair-queue.ts'
import type { Limits } from '../limits/limits.ts'
import { normaliseEmail } from './email-address.ts'
import { countAttempt } from './password-attempt.ts'
import { isForeign, type Passwords } from './passwords.ts'
import type { PeopleStore } from './person.ts'
import type { Sessions } from './sessions.ts'
import type { Method } from './sign-in-method.ts'

/**
 * One attempt that runs and four that wait. More attempts of one account and network would only queue for its
 * counters, so they are refused before any store is asked.
 */
const mostAttempts = 5
const longestPassword = 1024

type SignInForm = Record<'email' | 'password', string>

export const createPasswordSignIn = (deps: {
  people: Pick<PeopleStore, 'findForSignIn' | 'renewPassword'>
  passwords: Pick<Passwords, 'hash' | 'verify'>
  limits: Pick<Limits, 'signInAttempt'>
  sessions: Pick<Sessions, 'open'>
  audit: AuditTrail
  now: () => number
}) => {
  const { people, passwords, limits, sessions, audit, now } = deps
  const attempts = createCounts({ all: Number.POSITIVE_INFINITY, each: mostAttempts })

  /** Takes as long for an unknown or disabled user as for a wrong password. */
  const check = async ({ email, password }: SignInForm, cause: Cause) => {
    const found = email.includes('\0') ? null : await people.findForSignIn(email)
    const usable = found && !found.disabled && password.length <= longestPassword
    const matches = await passwords.verify(
      usable ? found.passwordHash : null,
      password.slice(0, longestPassword),
      { account: email, address: cause.address },
    )
    return { found, matches }
  }

  /** Stores our own hash instead of that of another server. A server that is too busy does it at the next sign-in. */
  const renew = async (id: string, from: string, password: string, by: Caller) => {
    const to = await passwords.hash(password, by).catch(() => null)
    if (to !== null) await people.renewPassword(id, from, to)
  }

  const attempt = async (form: SignInForm, cause: Cause) => {
    const by = { account: form.email, address: cause.address }
    const { found, matches } = await countAttempt(limits, by, () => check(form, cause))
    if (!found || !matches) {
      const about = { userId: found?.id ?? null, detail: { method: 'password' } }
      audit.record(auditEvent(cause, 'session.sign_in_failed', about))
      return null
    }
    const { passwordHash, disabled: _, ...user } = found
    if (isForeign(passwordHash)) await renew(user.id, passwordHash, form.password, by)
    const methods: Method[] = ['password']
    return sessions.open({ user, authenticatedAt: now(), methods, passkeyIds: [] }, cause)
  }

  return {
    /**
     * Checks a password and opens a session.
     * @returns the session's token; null when e-mail address or password are wrong (without saying which)
     * @throws OAuthError slow_down (429) after too many failures
     */
    signIn: async (form: SignInForm, cause: Cause) => {
      // The limit and the look-up use the same spelling; else each other spelling would have a limit of its own.
      const email = normaliseEmail(form.email)
      const name = `${networkOf(cause.address ?? '')} ${email}`
      return attempts.run([name], overload, () => attempt({ ...form, email }, cause))
    },
  }
}

export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>
