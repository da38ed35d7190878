import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'

/** Makes the audit event of a session that ends. */
export type SessionEnd = (sessionId: string) => AuditEvent

/** Why a session ended early, other than by its own sign-out. */
export type EndReason = 'ended' | 'too_many' | 'passkey_removed'

export const sessionEnd =
  (cause: Cause, userId: string, reason: EndReason): SessionEnd =>
  (id) =>
    auditEvent(cause, 'session.ended', { userId, detail: { session_id: id, reason } })
