import type { ClientType } from '../../../core/clients/client-type.ts'
import { type PermissionMap, successorGrantId } from '../../../core/clients/successor-rules.ts'
import type { MigrationStore } from '../../../core/grants/migration.ts'
import type { LegacyApp, LoadedMigration } from '../../../core/grants/migration-rules.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'
import { type GrantRow, grantColumns, grantJoins, grantOf } from './grant-columns.ts'
import { type ClientRow, clientColumns, clientJoins, clientOf } from './grants.ts'
import { insertGrant } from './insert-grants.ts'

interface MigrationRow extends ClientRow, GrantRow {
  legacy_client_id: string | null
  legacy_client_type: ClientType
  legacy_permissions: string[]
  legacy_retry_window: number
  legacy_families_epoch: number
  worth: PermissionMap
  twin_install_id: string | null
  twin_install_permissions: string[]
  twin_install_workspace_ids: string[] | null
  twin_install_suspended: boolean
  successor_id: string | null
  successor_generation: number
  successor_recent: boolean
  successor_used: boolean
}

const migrationQuery = `
select ${clientColumns}, ${grantColumns},
  l.client_id as legacy_client_id, l.client_type as legacy_client_type,
  l.permissions as legacy_permissions, l.retry_window_seconds as legacy_retry_window,
  l.families_epoch as legacy_families_epoch, t.worth,
  ti.id as twin_install_id, ti.permissions as twin_install_permissions,
  ti.workspace_ids as twin_install_workspace_ids,
  ti.suspended_at is not null as twin_install_suspended,
  n.id as successor_id, n.moved_generation as successor_generation,
  n.created_at + make_interval(secs => a.retry_window_seconds) > now() as successor_recent,
  n.used and not coalesce(n.unsettled ->> 'generation' = '-1' and n.unsettled -> 'nonces' ? n.claimed_by, false)
    as successor_used
from apps a ${clientJoins}
left join app_twins t on t.client_id = a.client_id
left join apps l on l.client_id = t.legacy_client_id
left join grants g on g.id = $2::uuid and g.client_id = l.client_id
${grantJoins}
left join installs ti
  on ti.client_id = a.client_id and ti.organization_id = g.organization_id and ti.ended_at is null
left join grants n on n.id = $3::uuid and n.client_id = a.client_id and g.id is not null
where a.client_id = $1`

const legacyOf = (row: MigrationRow): LegacyApp | null =>
  row.legacy_client_id === null
    ? null
    : {
        clientId: row.legacy_client_id,
        clientType: row.legacy_client_type,
        permissions: row.legacy_permissions,
        retryWindowSeconds: row.legacy_retry_window,
        permissionMap: row.worth,
      }

const legacyGrantOf = (row: MigrationRow) =>
  row.legacy_client_id === null
    ? null
    : grantOf(row, {
        clientId: row.legacy_client_id,
        familiesEpoch: row.legacy_families_epoch,
      })

const loadedOf = (row: MigrationRow): LoadedMigration => ({
  ...clientOf(row),
  legacy: legacyOf(row),
  grant: legacyGrantOf(row),
  install:
    row.twin_install_id === null
      ? null
      : {
          installId: row.twin_install_id,
          suspended: row.twin_install_suspended,
          installPermissions: row.twin_install_permissions,
          installWorkspaceIds: row.twin_install_workspace_ids,
          presentWorkspaceIds: row.present_workspace_ids,
        },
  successor:
    row.successor_id === null
      ? null
      : {
          generation: row.successor_generation,
          recent: row.successor_recent,
          used: row.successor_used,
        },
})

export const createMigrationStore = (database: Database): MigrationStore => {
  const read = batchedRead<MigrationRow>(database, {
    name: 'load_move',
    query: migrationQuery,
    types: ['text', 'uuid', 'uuid'],
  })

  return {
    load: async (clientId, familyId) => {
      const row = await read([clientId, familyId, familyId && successorGrantId(familyId)])
      return row && loadedOf(row)
    },
    migrate: (legacyGrantId, successor, from, audit, countUpTo) =>
      database.transaction(async (tx) => {
        // One at a time: the second request waits here, and finds the grant ended.
        const { count } = await tx.query(
          `update grants set ended_at = now(), ended_reason = 'moved'
            where id = $1 and ended_at is null`,
          [legacyGrantId],
        )
        if (count === 0) return null
        const inserted = await insertGrant(tx, successor, { from }, countUpTo)
        await insertAuditEvents(tx, [audit])
        return inserted ?? { connectionEpoch: 0, others: 0 }
      }),
    claim: async (successorId, request, unsettled) => {
      const { count } = await database.query(
        `update grants set used = true, claimed_by = $2
          where id = $1 and (not used or claimed_by = $2 or claimed_by = any($3))`,
        [successorId, request, unsettled],
      )
      return count === 1
    },
  }
}
