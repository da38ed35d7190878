import type { RevocationStore } from '../../../core/grants/revocation.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'

export const createRevocationStore = (database: Database): RevocationStore => ({
  endGrant: (grantId, event) =>
    database.transaction(async (tx) => {
      const ended = await tx.row<{ client_id: string }>(
        `update grants set ended_at = now(), ended_reason = 'revoked'
          where id = $1 and ended_at is null
         returning client_id`,
        [grantId],
      )
      if (ended) await insertAuditEvents(tx, [{ ...event, clientId: ended.client_id }])
      return ended !== undefined
    }),
  revokeToken: ({ jti, expiresAt, organizationId, audiences }, event) =>
    database.transaction((tx) =>
      changeRows(
        tx,
        `insert into revoked_tokens (jti, expires_at, organization_id, audiences)
         values ($1, to_timestamp($2), $3, $4) on conflict (jti) do nothing`,
        [jti, expiresAt, organizationId, audiences],
        [event],
      ),
    ),
})
