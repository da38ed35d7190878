import type { FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent } from '../../core/audit/audit.ts'
import { type ProvenWorkload, provenName } from '../../core/clients/workload-assertion.ts'
import type { Tokens } from '../../core/grants/token-request.ts'

/**
 * Audits which workload got a token: an app or a key set may trust several, and a claim may be of many.
 * @param receiver the app or key set that it acted as
 */
export const auditWorkload = (
  audit: AuditTrail,
  request: FastifyRequest,
  workload: ProvenWorkload,
  receiver: string,
  { organizationId }: Tokens['subject'],
): void => {
  const actor = { kind: 'client', id: receiver } as const
  audit.record(
    auditEvent({ actor, address: request.ip, requestId: request.id }, 'token.issued_to_workload', {
      clientId: receiver,
      organizationId,
      detail: { workload: provenName(workload) },
    }),
  )
}
