import { type AuditEvent, auditEvent, byServer } from '../audit/audit.ts'

/** Why access has ended without a person's decision. */
export type EndReason = 'expired' | 'unused'

/** The event of an uninstall by the server, which differs from an admin's in its reason only. */
export const installEnded = (
  about: { organizationId: string; clientId: string },
  reason: EndReason,
): AuditEvent => auditEvent(byServer, 'install.ended', { ...about, detail: { reason } })
