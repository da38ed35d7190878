import { createHash } from 'node:crypto'
import { newSecret } from '../domain/identifiers.ts'
import { type AuditEvent, type AuditTrail, auditEvent, type Origin } from './audit.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import type { RecordStore } from './records.ts'
import { normaliseEmail } from './users.ts'

export interface Person {
  id: string
  email: string
  name: string
  /** Moves with the password. */
  credentialsEpoch: number
}

export interface PeopleStore {
  /** By e-mail address in its one spelling. */
  findForSignIn(
    email: string,
  ): Promise<(Person & { passwordHash: string | null; disabled: boolean }) | null>
  /** null when unknown or disabled */
  findActive(userId: string): Promise<Person | null>
}

export interface Session {
  user: Person
  /** Milliseconds since 1970. */
  authenticatedAt: number
}

export interface Sessions {
  /**
   * Checks a password and opens a session.
   * @returns the session's token, or null when e-mail or password are wrong (never which)
   * @throws OAuthError slow_down (429) after too many failures
   */
  signIn(email: string, password: string, origin: Origin): Promise<string | null>
  /** null when expired, signed out, or the user is disabled or has another password now. */
  find(token: string): Promise<Session | null>
  end(token: string): Promise<void>
  /** Seconds. */
  lifetime: number
}

const collection = 'session'
const lifetime = 12 * 3600
const longestPassword = 1024
// Only the hash of the token is stored: what lies in the store opens no session.
const keyOf = (token: string) => createHash('sha256').update(token).digest('base64url')

export const createSessions = (deps: {
  people: PeopleStore
  records: RecordStore
  passwords: Passwords
  limits: Limits
  audit: AuditTrail
  now: () => number
}): Sessions => {
  const { people, records, passwords, limits, audit, now } = deps

  const record = (origin: Origin, type: string, about: Partial<AuditEvent> = {}) =>
    audit.record(auditEvent(origin, type, about))

  /** Takes as long for an unknown or disabled user as for a wrong password. */
  const check = async (email: string, password: string) => {
    const found = email.includes('\0') ? null : await people.findForSignIn(email)
    const usable = found && !found.disabled && password.length <= longestPassword
    const matches = await passwords.verify(
      usable ? found.passwordHash : null,
      password.slice(0, longestPassword),
    )
    return { found, matches }
  }

  return {
    lifetime,

    signIn: async (sentEmail, password, origin) => {
      // One spelling for the limit and for the look-up, or a second one would get tries of its own.
      const email = normaliseEmail(sentEmail)
      const giveBack = await limits.signInAttempt(origin.address ?? '', email)
      const { found, matches } = await check(email, password).catch(async (fault) => {
        // A password that nobody has looked at was not wrong.
        await giveBack().catch(() => undefined)
        throw fault
      })
      if (!found || !matches) {
        record(origin, 'session.sign_in_failed', { userId: found?.id ?? null })
        return null
      }
      await giveBack()
      const token = newSecret('session')
      const value = JSON.stringify({
        userId: found.id,
        credentialsEpoch: found.credentialsEpoch,
        authenticatedAt: now(),
      })
      await records.put(collection, keyOf(token), { state: 'open', value }, lifetime)
      const actor = { kind: 'user', id: found.id } as const
      record({ ...origin, actor }, 'session.signed_in', { userId: found.id })
      return token
    },

    find: async (token) => {
      const stored = await records.find(collection, keyOf(token))
      if (!stored) return null
      const { userId, credentialsEpoch, authenticatedAt } = JSON.parse(stored.value) as {
        userId: string
        credentialsEpoch: number
        authenticatedAt: number
      }
      const user = await people.findActive(userId)
      return user?.credentialsEpoch === credentialsEpoch ? { user, authenticatedAt } : null
    },

    end: (token) => records.delete(collection, keyOf(token)),
  }
}
