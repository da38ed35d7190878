// A session of a signed-in user, its end, and its store.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { AccountStanding } from './account-guard.ts'
import type { Person } from './person.ts'
import type { Method } from './sign-in-method.ts'
import type { Device } from './user-agent.ts'

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
  /** The user may use the operator's console. */
  isOperator: boolean
  /** The language that the user has chosen for pages and mails; null: none. */
  locale: string | null
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

/** Makes the audit event of a session that ends. */
export type SessionEnd = (sessionId: string) => AuditEvent

/** Why a session ended early, other than by its own sign-out. */
type EndReason = 'ended' | 'too_many' | 'passkey_removed'

export const sessionEnd =
  (cause: Cause, userId: string, reason: EndReason): SessionEnd =>
  (id) =>
    auditEvent(cause, 'session.ended', { userId, detail: { session_id: id, reason } })

/** `idle`: seconds without a request after which a session is invalid; 0: no limit. */
export interface SessionStore {
  /** @returns false when one of its passkeys has been removed in the meantime */
  insert(session: NewSession): Promise<boolean>
  /** Finds a live session, with the seconds since its last recorded use. */
  find(key: SessionKey): Promise<(Omit<Session, 'lineage'> & { unseen: number }) | null>
  /** @returns false when the session has ended, or one of its passkeys has been removed */
  renew(id: string, session: SignIn & { tokenHash: string }): Promise<boolean>
  /** Records a use of each session whose last recorded one is at least `after` seconds old. */
  seen(ids: readonly string[], after: number): Promise<void>
  /** Live sessions, the most recently used first. */
  list(userId: string, idle: number, most: number): Promise<ListedSession[]>
  endLineage(lineageHash: string): Promise<void>
  /** @returns false when the user has no such session */
  end(userId: string, id: string, event: SessionEnd): Promise<boolean>
  standingOf(userId: string): Promise<AccountStanding>
  /** @returns the number of ended sessions */
  endAll(userId: string, except: string | null, event: SessionEnd): Promise<number>
  /** Ends the oldest sessions until `most` are left. */
  endOldest(userId: string, most: number, idle: number, event: SessionEnd): Promise<number>
}
