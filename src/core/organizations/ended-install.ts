import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'

/** Why access has ended without a person's decision. */
export type EndReason = 'expired' | 'unused'

/** The server itself ends what is over. */
export const byServer: Cause = {
  actor: { kind: 'system', id: null },
  address: null,
  requestId: null,
}

/** The event of an uninstall by the server, which differs from an admin's in its reason only. */
export const installEnded = (
  about: { organizationId: string; clientId: string },
  reason: EndReason,
): AuditEvent => auditEvent(byServer, 'install.ended', { ...about, detail: { reason } })
