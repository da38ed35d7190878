import { createHash } from 'node:crypto'
import { newSecret } from '../domain/identifiers.ts'
import type { Method } from '../domain/sign-in-method.ts'
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
  /** Moves when the person is disabled. */
  sessionsEpoch: number
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
  /** Milliseconds since 1970; 0 when nobody can say. */
  authenticatedAt: number
  methods: Method[]
}

export interface Sessions {
  /**
   * Checks a password and opens a session.
   * @returns the session's token, or null when e-mail or password are wrong (never which)
   * @throws OAuthError slow_down (429) after too many failures
   */
  signIn(email: string, password: string, origin: Origin): Promise<string | null>
  /** Opens a session for a person who has been recognised. @returns the session's token */
  open(session: Session, origin: Origin): Promise<string>
  /** Goes on as the same person with a new token: more methods, or another password. The old token is not ended. */
  renew(session: Session): Promise<string>
  /**
   * null when expired, signed out, of a method that no longer counts, or the user was disabled since or has another
   * password now.
   */
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

interface Stored {
  userId: string
  credentialsEpoch: number
  /** Absent in sessions from before users had one. */
  sessionsEpoch?: number
  authenticatedAt: number
  /** Absent in sessions from before there was a choice. */
  methods?: Method[]
}

export const createSessions = (deps: {
  people: PeopleStore
  records: RecordStore
  passwords: Passwords
  limits: Limits
  audit: AuditTrail
  now: () => number
  /** The ways in that count; a session without any of them is none. */
  accepts?: readonly Method[]
}): Sessions => {
  const { people, records, passwords, limits, audit, now } = deps
  const accepts = deps.accepts ?? ['password', 'passkey', 'oidc']

  const record = (origin: Origin, type: string, about: Partial<AuditEvent> = {}) =>
    audit.record(auditEvent(origin, type, about))

  const write = async ({ user, authenticatedAt, methods }: Session) => {
    const token = newSecret('session')
    const stored: Stored = {
      userId: user.id,
      credentialsEpoch: user.credentialsEpoch,
      sessionsEpoch: user.sessionsEpoch,
      authenticatedAt,
      methods,
    }
    const value = JSON.stringify(stored)
    await records.put(collection, keyOf(token), { state: 'open', value }, lifetime)
    return token
  }

  const open = async (session: Session, origin: Origin) => {
    const token = await write(session)
    const { id } = session.user
    const about = { userId: id, detail: { method: session.methods.at(-1) } }
    record({ ...origin, actor: { kind: 'user', id } }, 'session.signed_in', about)
    return token
  }

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
    open,
    renew: write,

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
        const about = { userId: found?.id ?? null, detail: { method: 'password' } }
        record(origin, 'session.sign_in_failed', about)
        return null
      }
      await giveBack()
      const { passwordHash: _, disabled: __, ...user } = found
      return open({ user, authenticatedAt: now(), methods: ['password'] }, origin)
    },

    find: async (token) => {
      const stored = await records.find(collection, keyOf(token))
      if (!stored) return null
      const session = JSON.parse(stored.value) as Stored
      const methods = session.methods ?? ['password']
      if (!methods.some((one) => accepts.includes(one))) return null
      const user = await people.findActive(session.userId)
      if (user?.credentialsEpoch !== session.credentialsEpoch) return null
      if (user.sessionsEpoch !== (session.sessionsEpoch ?? 0)) return null
      return { user, authenticatedAt: session.authenticatedAt, methods }
    },

    end: (token) => records.delete(collection, keyOf(token)),
  }
}
