import type { RevocationStore } from '../../../core/grants/revocation.ts'
import { changeRow, changeRows } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'

export const createRevocationStore = (database: Database): RevocationStore => ({
  endGrant: async (grantId, event) => {
    const ended = await changeRow<{ clientId: string }>(
      database,
      `update grants set ended_at = now(), ended_reason = 'revoked'
        where id = $1 and ended_at is null
       returning client_id as "clientId"`,
      [grantId],
      ({ clientId }) => [{ ...event, clientId }],
    )
    return ended !== null
  },
  revokeToken: ({ jti, expiresAt, organizationId, audiences }, event) =>
    changeRows(
      database,
      `insert into revoked_tokens (jti, expires_at, organization_id, audiences)
       values ($1, to_timestamp($2), $3, $4) on conflict (jti) do nothing`,
      [jti, expiresAt, organizationId, audiences],
      [event],
    ),
})
