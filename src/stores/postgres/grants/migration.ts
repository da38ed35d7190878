import { successorGrantId } from '../../../core/clients/successor-rules.ts'
import type {
  LegacyApp,
  LoadedMigration,
  MigrationStore,
  SuccessorState,
} from '../../../core/grants/migration-rules.ts'
import type { Expiring } from '../../../core/grants/refresh-token.ts'
import type { LoadedInstall } from '../../../core/grants/store.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import {
  type Columns,
  computed,
  named,
  nested,
  of,
  plain,
  selected,
} from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { isLiveInstall } from '../organizations/live.ts'
import { expiring, grantColumns, grantJoins, installColumns } from './grant-columns.ts'
import { clientColumns, clientJoins, clientRead, type Stored } from './grants.ts'
import { insertGrant } from './insert-grants.ts'

const legacyColumns: Columns<LegacyApp> = {
  ...plain('clientId', 'clientType', 'permissions', 'retryWindowSeconds'),
  permissionMap: of('t', 'worth'),
}

const isClaimLost = `n.unsettled ->> 'generation' = '-1' and n.unsettled -> 'nonces' ? n.claimed_by`

const successorColumns: Columns<SuccessorState> = {
  generation: named('moved_generation'),
  recent: computed('n.created_at + make_interval(secs => a.retry_window_seconds) > now()'),
  used: computed(`n.used and not coalesce(${isClaimLost}, false)`),
}

const successorInstall: Columns<LoadedInstall & Expiring> = {
  ...installColumns({ install: 'ti', app: 'a', policy: 'gp' }, 'g.user_id'),
  ...expiring('ti'),
}

const migrationColumns: Columns<Stored<LoadedMigration>> = {
  ...clientColumns,
  legacy: nested(legacyColumns, 'l', 'client_id'),
  grant: nested(grantColumns('l'), 'g', 'id'),
  install: nested(successorInstall, 'ti', 'id'),
  successor: nested(successorColumns, 'n', 'id'),
}

const migrationQuery = `
select ${selected(migrationColumns)}
from apps a ${clientJoins}
left join app_twins t on t.client_id = a.client_id
left join apps l on l.client_id = t.legacy_client_id
left join grants g on g.id = $2::uuid and g.client_id = l.client_id
${grantJoins}
left join installs ti
  on ti.client_id = a.client_id and ti.organization_id = g.organization_id and ${isLiveInstall('ti')}
left join grants n on n.id = $3::uuid and n.client_id = a.client_id and g.id is not null
where a.client_id = $1`

/** The end of a grant that was taken over. */
const endsWithLegacy = `update grants g set ends_at = l.ends_at from grants l
  where g.id = $1 and l.id = $2 and l.ends_at is not null`

export const createMigrationStore = (database: Database): MigrationStore => {
  const read = clientRead<LoadedMigration>(
    database,
    migrationQuery,
    ['text', 'uuid', 'uuid'],
    'load_move',
  )

  return {
    load: (clientId, familyId) => read(clientId, familyId, familyId && successorGrantId(familyId)),
    migrate: (legacyGrantId, successor, from, audit, countUpTo) =>
      database.transaction(async (tx) => {
        // One at a time: the second request waits here, and finds the grant ended.
        const isFirst = await tx.affects(
          `update grants set ended_at = now(), ended_reason = 'moved'
            where id = $1 and ended_at is null`,
          [legacyGrantId],
        )
        if (!isFirst) return null
        const inserted = await insertGrant(tx, successor, { from }, countUpTo)
        await tx.query(endsWithLegacy, [successor.id, legacyGrantId])
        await insertAuditEvents(tx, [audit])
        return inserted ?? { connectionEpoch: 0, others: 0 }
      }),
    claim: (successorId, request, unsettled) =>
      database.affects(
        `update grants set used = true, claimed_by = $2
          where id = $1 and (not used or claimed_by = $2 or claimed_by = any($3))`,
        [successorId, request, unsettled],
      ),
  }
}
