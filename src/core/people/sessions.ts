import { type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { createWriteBehind } from '../audit/write-behind.ts'
import { digestOf } from '../crypto/digests.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import { randomText } from '../crypto/random.ts'
import { type AccountCause, refuseGuarded } from './account-guard.ts'
import {
  type FoundSession,
  type Session,
  type SessionKey,
  type SessionStore,
  type SignIn,
  sessionEnd,
} from './session.ts'
import type { Method } from './sign-in-method.ts'
import { deviceOf } from './user-agent.ts'

const lifetime = 12 * 3600
/** Seconds between two recorded uses of a session, so that not every request costs a write. */
const seenEvery = 60
/** Sessions whose use is not written yet. Further ones are recorded at their next request. */
const mostSeen = 10_000
/** As many as a page shows. */
const mostListed = 1000
/** A token is a secret of its own, followed by the lineage that all tokens of the session share. */
const newToken = (lineage: string) => `${newSecret('session')}-${lineage}`
const lineageOf = (token: string) => token.slice(token.indexOf('-') + 1)

export const createSessions = (deps: {
  store: SessionStore
  audit: AuditTrail
  /** Accepted sign-in methods; a session without any of them is invalid. */
  accepts?: readonly Method[]
  /** Seconds without a request after which a session ends; 0: no limit. */
  idle?: number
  /** Maximum number of sessions of one user. */
  most?: number
}) => {
  const { store, audit, idle = 0, most = 50 } = deps
  const accepts = deps.accepts ?? ['password', 'passkey', 'oidc']
  const noteAfter = idle === 0 ? seenEvery : Math.min(seenEvery, Math.ceil(idle / 4))
  // One statement for all sessions of a moment: each its own would take a connection that requests wait for.
  const seen = new Set<string>()
  const ignore = () => undefined
  const lastSeen = createWriteBehind<string[]>({
    flushEvery: noteAfter * 1000,
    take: () => {
      const ids = [...seen]
      seen.clear()
      return ids.length === 0 ? [] : [ids]
    },
    write: (ids) => store.seen(ids, noteAfter),
    // The next request of the session records its use.
    keep: ignore,
    drop: ignore,
  })

  /**
   * Opens a session for an authenticated user. Above the limit the oldest session ends.
   * @returns the session's token; null when one of the passkeys has been removed in the meantime
   */
  const open = async (signIn: SignIn, cause: Cause) => {
    const { id: userId } = signIn.user
    const [id, lineage] = [newId('session'), randomText(16)]
    const token = newToken(lineage)
    const isOpen = await store.insert({
      ...signIn,
      ...deviceOf(cause.userAgent),
      id,
      lineageHash: digestOf(lineage),
      tokenHash: digestOf(token),
      address: cause.address,
      lifetime,
    })
    if (!isOpen) return null
    const by: Cause = { ...cause, actor: { kind: 'user', id: userId } }
    await store.endOldest(userId, most, idle, sessionEnd(by, userId, 'too_many'))
    const detail = { method: signIn.methods.at(-1), session_id: id }
    audit.record(auditEvent(by, 'session.signed_in', { userId, detail }))
    return token
  }

  const counts = ({ methods }: Pick<SignIn, 'methods'>) =>
    accepts.some((one) => methods.includes(one))

  /**
   * For a query that finds the session together with other data. Its result must be accepted. Only hashes are stored, so
   * a copy of the store opens no session.
   */
  const keyOf = (token: string): SessionKey => ({
    lineageHash: digestOf(lineageOf(token)),
    tokenHash: digestOf(token),
    idle,
  })

  /** Records the use of a session. @returns false when its sign-in method is no longer accepted */
  const accept = (found: Pick<FoundSession, 'id' | 'methods' | 'unseen'>) => {
    if (!counts(found)) return false
    if (found.unseen > noteAfter && seen.size < mostSeen) {
      seen.add(found.id)
      lastSeen.added()
    }
    return true
  }

  return {
    /** Seconds. */
    lifetime,
    open,
    keyOf,
    accept,
    /** Records the uses that are not written yet. */
    close: lastSeen.close,

    /**
     * Continues the session under a new token, after another method or a new password. The old token can only end the
     * session.
     * @returns null when the session has ended in the meantime
     */
    renew: async (session: Session) => {
      const token = newToken(session.lineage)
      const isRenewed = await store.renew(session.id, { ...session, tokenHash: digestOf(token) })
      return isRenewed ? token : null
    },

    /**
     * @returns null when the session is expired, idle for too long, signed out, or of a method no longer accepted, or
     * when the user was disabled or has a new password since
     */
    find: async (token: string): Promise<Session | null> => {
      const found = await store.find(keyOf(token))
      if (!found || !accept(found)) return null
      const { unseen: _, ...session } = found
      return { ...session, lineage: lineageOf(token) }
    },

    /** Ends the session; also accepts a token from before it was renewed. */
    end: (token: string) => store.endLineage(digestOf(lineageOf(token))),

    /** Do both tokens belong to one session? */
    continues: (before: string, token: string) => lineageOf(before) === lineageOf(token),

    /** Live sessions of a user, the most recently used first. */
    list: async (userId: string) => (await store.list(userId, idle, mostListed)).filter(counts),

    /** @returns false when the user has no such session */
    endOne: ({ userId, id }: Record<'userId' | 'id', string>, cause: Cause) =>
      store.end(userId, id, sessionEnd(cause, userId, 'ended')),

    /** `except`: a session that continues. @returns the number of ended sessions @throws Forbidden */
    endAll: async (
      { userId, except }: { userId: string; except?: string },
      cause: AccountCause,
    ) => {
      refuseGuarded(cause, await store.standingOf(userId))
      return store.endAll(userId, except ?? null, sessionEnd(cause, userId, 'ended'))
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
