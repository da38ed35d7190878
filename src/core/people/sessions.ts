import { createHash } from 'node:crypto'
import { type AuditEvent, type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import { randomText } from '../crypto/random.ts'
import type { EventType } from '../language/event-types.ts'
import { networkOf } from '../language/network.ts'
import { overload } from '../limits/fair-queue.ts'
import type { Limits } from '../limits/limits.ts'
import type { Passwords } from './passwords.ts'
import type { Person } from './person.ts'
import { type SessionEnd, sessionEnd } from './session-ends.ts'
import type { Method } from './sign-in-method.ts'
import { type Device, deviceOf } from './user-agent.ts'
import { normaliseEmail } from './users.ts'

export interface PeopleStore {
  /** @param email normalised */
  findForSignIn(
    email: string,
  ): Promise<(Person & { passwordHash: string | null; disabled: boolean }) | null>
  /** null when unknown or disabled */
  findActive(userId: string): Promise<Person | null>
}

/** How and when a user has signed in. */
export interface SignIn {
  user: Person
  /** Milliseconds since 1970; 0 when unknown. */
  authenticatedAt: number
  methods: Method[]
  /** The passkeys that were shown. */
  passkeyIds: string[]
}

export interface Session extends SignIn {
  id: string
  /** Common to all tokens of the session; it can only end the session. */
  lineage: string
  /** The user has unread security notices. */
  hasNotices: boolean
}

/** Finds a live session. `idle`: seconds without a request after which a session is invalid; 0: no limit. */
export interface SessionKey {
  lineageHash: string
  tokenHash: string
  idle: number
}

/** A live session as an authorization request needs it, with the seconds since its last recorded use. */
export interface FoundSession extends Pick<SignIn, 'authenticatedAt' | 'methods'> {
  id: string
  userId: string
  credentialsEpoch: number
  unseen: number
}

/** A session as its user and the operator see it. */
export interface ListedSession extends Device {
  id: string
  methods: Method[]
  address: string | null
  createdAt: Date
  lastSeenAt: Date
}

interface NewSession extends SignIn, Device {
  id: string
  lineageHash: string
  tokenHash: string
  address: string | null
  /** Seconds. */
  lifetime: number
}

/** `idle`: seconds without a request after which a session is invalid; 0: no limit. */
export interface SessionStore {
  /** @returns false when one of its passkeys has been removed in the meantime */
  insert(session: NewSession): Promise<boolean>
  /** Finds a live session, with the seconds since its last recorded use. */
  find(
    lineageHash: string,
    tokenHash: string,
    idle: number,
  ): Promise<(Omit<Session, 'lineage'> & { unseen: number }) | null>
  /** @returns false when the session has ended, or one of its passkeys has been removed */
  renew(id: string, session: SignIn & { tokenHash: string }): Promise<boolean>
  /** Records a use if the last recorded one is at least `after` seconds old. */
  seen(id: string, after: number): Promise<void>
  /** Live sessions, the most recently used first. */
  list(userId: string, idle: number, most: number): Promise<ListedSession[]>
  endLineage(lineageHash: string): Promise<void>
  /** @returns false when the user has no such session */
  end(userId: string, id: string, event: SessionEnd): Promise<boolean>
  /** @returns the number of ended sessions */
  endAll(userId: string, except: string | null, event: SessionEnd): Promise<number>
  /** Ends the oldest sessions until `most` are left. */
  endOldest(userId: string, most: number, idle: number, event: SessionEnd): Promise<number>
}

export interface Sessions {
  /**
   * Checks a password and opens a session.
   * @returns the session's token; null when e-mail address or password are wrong (without saying which)
   * @throws OAuthError slow_down (429) after too many failures
   */
  signIn(email: string, password: string, cause: Cause): Promise<string | null>
  /**
   * Opens a session for an authenticated user. Above the limit the oldest session ends.
   * @returns the session's token; null when one of the passkeys has been removed in the meantime
   */
  open(signIn: SignIn, cause: Cause): Promise<string | null>
  /**
   * Continues the session under a new token, after another method or a new password. The old token can only end the
   * session.
   * @returns null when the session has ended in the meantime
   */
  renew(session: Session): Promise<string | null>
  /**
   * @returns null when the session is expired, idle for too long, signed out, or of a method no longer accepted, or
   * when the user was disabled or has a new password since
   */
  find(token: string): Promise<Session | null>
  /** For a query that finds the session together with other data. Its result must be accepted. */
  keyOf(token: string): SessionKey
  /** Records the use of a session. @returns false when its sign-in method is no longer accepted */
  accept(found: Pick<FoundSession, 'id' | 'methods' | 'unseen'>): boolean
  /** Ends the session; also accepts a token from before it was renewed. */
  end(token: string): Promise<void>
  /** Do both tokens belong to one session? */
  continues(before: string, token: string): boolean
  /** Live sessions of a user, the most recently used first. */
  list(userId: string): Promise<ListedSession[]>
  /** @returns false when the user has no such session */
  endOne(userId: string, id: string, cause: Cause): Promise<boolean>
  /** @param except a session that continues; null: none @returns the number of ended sessions */
  endAll(userId: string, except: string | null, cause: Cause): Promise<number>
  /** Seconds. */
  lifetime: number
}

/**
 * One attempt that runs and four that wait. More attempts of one account and network would only queue for its
 * counters.
 */
const mostAttempts = 5
const lifetime = 12 * 3600
const longestPassword = 1024
/** Seconds between two recorded uses of a session, so that not every request costs a write. */
const seenEvery = 60
/** As many as a page shows. */
const mostListed = 1000
// Only hashes are stored, so a copy of the store opens no session.
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A token is a secret of its own, followed by the lineage that all tokens of the session share. */
const newToken = (lineage: string) => `${newSecret('session')}-${lineage}`
const lineageOf = (token: string) => token.slice(token.indexOf('-') + 1)

/** Refuses more than a few concurrent attempts, before any store is asked. */
const createAttempts = () => {
  const underWay = new Map<string, number>()
  return {
    run: async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
      const count = underWay.get(key) ?? 0
      if (count >= mostAttempts) throw overload()
      underWay.set(key, count + 1)
      try {
        return await work()
      } finally {
        const left = (underWay.get(key) ?? 1) - 1
        if (left > 0) underWay.set(key, left)
        else underWay.delete(key)
      }
    },
  }
}

export const createSessions = (deps: {
  people: Pick<PeopleStore, 'findForSignIn'>
  store: SessionStore
  passwords: Pick<Passwords, 'verify'>
  limits: Pick<Limits, 'signInAttempt'>
  audit: AuditTrail
  now: () => number
  /** Accepted sign-in methods; a session without any of them is invalid. */
  accepts?: readonly Method[]
  /** Seconds without a request after which a session ends; 0: no limit. */
  idle?: number
  /** Maximum number of sessions of one user. */
  most?: number
}): Sessions => {
  const { people, store, passwords, limits, audit, now, idle = 0, most = 50 } = deps
  const attempts = createAttempts()
  const accepts = deps.accepts ?? ['password', 'passkey', 'oidc']
  const noteAfter = idle === 0 ? seenEvery : Math.min(seenEvery, Math.ceil(idle / 4))

  const record = (cause: Cause, type: EventType, about: Partial<AuditEvent> = {}) =>
    audit.record(auditEvent(cause, type, about))

  const open: Sessions['open'] = async (signIn, cause) => {
    const { id: userId } = signIn.user
    const [id, lineage] = [newId('session'), randomText(16)]
    const token = newToken(lineage)
    const isOpen = await store.insert({
      ...signIn,
      ...deviceOf(cause.userAgent),
      id,
      lineageHash: hashOf(lineage),
      tokenHash: hashOf(token),
      address: cause.address,
      lifetime,
    })
    if (!isOpen) return null
    const by: Cause = { ...cause, actor: { kind: 'user', id: userId } }
    await store.endOldest(userId, most, idle, sessionEnd(by, userId, 'too_many'))
    const detail = { method: signIn.methods.at(-1), session_id: id }
    record(by, 'session.signed_in', { userId, detail })
    return token
  }

  /** Takes as long for an unknown or disabled user as for a wrong password. */
  const check = async (email: string, password: string, cause: Cause) => {
    const found = email.includes('\0') ? null : await people.findForSignIn(email)
    const usable = found && !found.disabled && password.length <= longestPassword
    const matches = await passwords.verify(
      usable ? found.passwordHash : null,
      password.slice(0, longestPassword),
      { account: email, address: cause.address },
    )
    return { found, matches }
  }

  const attempt = async (email: string, password: string, cause: Cause): Promise<string | null> => {
    const undo = await limits.signInAttempt(cause.address ?? '', email)
    const { found, matches } = await check(email, password, cause).catch(async (fault) => {
      // A password that was not checked must not count as wrong.
      await undo().catch(() => undefined)
      throw fault
    })
    if (!found || !matches) {
      const about = { userId: found?.id ?? null, detail: { method: 'password' } }
      record(cause, 'session.sign_in_failed', about)
      return null
    }
    await undo()
    const { passwordHash: _, disabled: __, ...user } = found
    const methods: Method[] = ['password']
    return open({ user, authenticatedAt: now(), methods, passkeyIds: [] }, cause)
  }

  const counts = ({ methods }: Pick<SignIn, 'methods'>) =>
    accepts.some((one) => methods.includes(one))

  const keyOf: Sessions['keyOf'] = (token) => ({
    lineageHash: hashOf(lineageOf(token)),
    tokenHash: hashOf(token),
    idle,
  })

  const accept: Sessions['accept'] = (found) => {
    if (!counts(found)) return false
    // Not awaited. If it fails, the next request records the use.
    if (found.unseen > noteAfter) void store.seen(found.id, noteAfter).catch(() => undefined)
    return true
  }

  return {
    lifetime,
    open,
    keyOf,
    accept,

    renew: async (session) => {
      const token = newToken(session.lineage)
      const isRenewed = await store.renew(session.id, { ...session, tokenHash: hashOf(token) })
      return isRenewed ? token : null
    },

    signIn: async (sentEmail, password, cause) => {
      // The limit and the look-up use the same spelling; else each other spelling would have a limit of its own.
      const email = normaliseEmail(sentEmail)
      return attempts.run(`${networkOf(cause.address ?? '')} ${email}`, () =>
        attempt(email, password, cause),
      )
    },

    find: async (token) => {
      const { lineageHash, tokenHash } = keyOf(token)
      const found = await store.find(lineageHash, tokenHash, idle)
      if (!found || !accept(found)) return null
      const { unseen: _, ...session } = found
      return { ...session, lineage: lineageOf(token) }
    },

    end: (token) => store.endLineage(hashOf(lineageOf(token))),

    continues: (before, token) => lineageOf(before) === lineageOf(token),

    list: async (userId) => (await store.list(userId, idle, mostListed)).filter(counts),

    endOne: (userId, id, cause) => store.end(userId, id, sessionEnd(cause, userId, 'ended')),

    endAll: (userId, except, cause) =>
      store.endAll(userId, except, sessionEnd(cause, userId, 'ended')),
  }
}
