import { createHash } from 'node:crypto'
import { type AuditEvent, type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import { randomText } from '../crypto/random.ts'
import { networkOf } from '../language/network.ts'
import { overload } from '../limits/fair-line.ts'
import type { Limits } from '../limits/limits.ts'
import type { Passwords } from './passwords.ts'
import type { Person } from './person.ts'
import { type SessionEnd, sessionEnd } from './session-ends.ts'
import type { Method } from './sign-in-method.ts'
import { type Device, deviceOf } from './user-agent.ts'
import { normaliseEmail } from './users.ts'

export interface PeopleStore {
  /** By e-mail address in its one spelling. */
  findForSignIn(
    email: string,
  ): Promise<(Person & { passwordHash: string | null; disabled: boolean }) | null>
  /** null when unknown or disabled */
  findActive(userId: string): Promise<Person | null>
}

/** What a person has shown to be signed in. */
export interface SignIn {
  user: Person
  /** Milliseconds since 1970; 0 when nobody can say. */
  authenticatedAt: number
  methods: Method[]
  /** The passkeys that were shown. */
  passkeyIds: string[]
}

export interface Session extends SignIn {
  id: string
  /** What all its tokens have in common: good for nothing but to end it. */
  lineage: string
  /** There is something to tell this person that they have not read. */
  hasNotices: boolean
}

/** A session as its owner and the operator see it. */
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

/** `idle`: seconds without a request after which a session counts no more; 0: any. */
export interface SessionStore {
  /** @returns false when one of its passkeys has been removed meanwhile */
  insert(session: NewSession): Promise<boolean>
  /** Live ones only. @returns also the seconds since it was last noted as seen */
  find(
    lineageHash: string,
    tokenHash: string,
    idle: number,
  ): Promise<(Omit<Session, 'lineage'> & { unseen: number }) | null>
  /** @returns false when the session has ended, or one of its passkeys has been removed */
  renew(id: string, session: SignIn & { tokenHash: string }): Promise<boolean>
  /** Notes a use, if the last one is so many seconds ago. */
  seen(id: string, after: number): Promise<void>
  /** Live ones only, the last seen first. */
  list(userId: string, idle: number, most: number): Promise<ListedSession[]>
  endLineage(lineageHash: string): Promise<void>
  /** @returns false when this person has no such session */
  end(userId: string, id: string, event: SessionEnd): Promise<boolean>
  /** @returns how many there were */
  endAll(userId: string, except: string | null, event: SessionEnd): Promise<number>
  /** Ends the oldest until there are no more than `most`. */
  endOldest(userId: string, most: number, idle: number, event: SessionEnd): Promise<number>
}

export interface Sessions {
  /**
   * Checks a password and opens a session.
   * @returns the session's token, or null when e-mail or password are wrong (never which)
   * @throws OAuthError slow_down (429) after too many failures
   */
  signIn(email: string, password: string, cause: Cause): Promise<string | null>
  /**
   * Opens a session for a person who has been recognised; the oldest one of too many ends.
   * @returns the session's token; null when one of the passkeys has been removed meanwhile
   */
  open(signIn: SignIn, cause: Cause): Promise<string | null>
  /**
   * Continues the session under a new token: more methods, or another password. The old token is of no use but to end
   * the session.
   * @returns null when the session has ended meanwhile
   */
  renew(session: Session): Promise<string | null>
  /**
   * null when expired, idle for too long, signed out, of a method that no longer counts, or the user was disabled since
   * or has another password now.
   */
  find(token: string): Promise<Session | null>
  /** Ends the session, also with a token that it had before it was renewed. */
  end(token: string): Promise<void>
  /** Are both tokens of one session? */
  continues(before: string, token: string): boolean
  /** Live sessions of a person, the last seen first. */
  list(userId: string): Promise<ListedSession[]>
  /** @returns false when this person has no such session */
  endOne(userId: string, id: string, cause: Cause): Promise<boolean>
  /** @param except the session that goes on; null: none. @returns how many have ended */
  endAll(userId: string, except: string | null, cause: Cause): Promise<number>
  /** Seconds. */
  lifetime: number
}

/** One that is checked and four that wait: more of one account and network would only queue for its counters. */
const mostAttempts = 5
const lifetime = 12 * 3600
const longestPassword = 1024
/** Seconds between two notes of a session that is in use: not every request costs a write. */
const seenEvery = 60
/** As many as a page shows. */
const mostListed = 1000
// Only hashes are stored: what lies in the store opens no session.
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A token is a secret of its own, and behind it what all tokens of the session have. */
const newToken = (lineage: string) => `${newSecret('session')}-${lineage}`
const lineageOf = (token: string) => token.slice(token.indexOf('-') + 1)

/** Refuses what exceeds a few attempts at the same time, before any store is asked. */
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
  /** The ways in that count; a session without any of them is none. */
  accepts?: readonly Method[]
  /** Seconds without a request after which a session ends; 0: it does not. */
  idle?: number
  /** Sessions of one person. */
  most?: number
}): Sessions => {
  const { people, store, passwords, limits, audit, now, idle = 0, most = 50 } = deps
  const attempts = createAttempts()
  const accepts = deps.accepts ?? ['password', 'passkey', 'oidc']
  const noteAfter = idle === 0 ? seenEvery : Math.min(seenEvery, Math.ceil(idle / 4))

  const record = (cause: Cause, type: string, about: Partial<AuditEvent> = {}) =>
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
      // A password that nobody has looked at was not wrong.
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

  return {
    lifetime,
    open,

    renew: async (session) => {
      const token = newToken(session.lineage)
      const isRenewed = await store.renew(session.id, { ...session, tokenHash: hashOf(token) })
      return isRenewed ? token : null
    },

    signIn: async (sentEmail, password, cause) => {
      // One spelling for the limit and for the look-up, or a second one would get tries of its own.
      const email = normaliseEmail(sentEmail)
      return attempts.run(`${networkOf(cause.address ?? '')} ${email}`, () =>
        attempt(email, password, cause),
      )
    },

    find: async (token) => {
      const lineage = lineageOf(token)
      const found = await store.find(hashOf(lineage), hashOf(token), idle)
      if (!found || !counts(found)) return null
      const { unseen, ...session } = found
      // Beside the request: should it fail, the next one notes it.
      if (unseen > noteAfter) void store.seen(session.id, noteAfter).catch(() => undefined)
      return { ...session, lineage }
    },

    end: (token) => store.endLineage(hashOf(lineageOf(token))),

    continues: (before, token) => lineageOf(before) === lineageOf(token),

    list: async (userId) => (await store.list(userId, idle, mostListed)).filter(counts),

    endOne: (userId, id, cause) => store.end(userId, id, sessionEnd(cause, userId, 'ended')),

    endAll: (userId, except, cause) =>
      store.endAll(userId, except, sessionEnd(cause, userId, 'ended')),
  }
}
