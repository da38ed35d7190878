import type {
  InstallRequest,
  InstallRequestStore,
  OwnRequest,
} from '../../../core/organizations/install-requests.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import type { Database } from '../connection/database.ts'
import { nameContains } from '../connection/paging.ts'

interface OpenRow extends AppRow {
  id: string
  requested_permissions: string[]
  reason: string | null
  requested_at: Date
  user_id: string
  user_name: string
  user_email: string
}

interface OwnRow extends AppRow {
  organization_id: string
  organization_name: string
  reason: string | null
  requested_at: Date
  decided_at: Date | null
}

const openQuery = `
select ${appColumn}, r.id, r.permissions as requested_permissions, r.reason,
  r.created_at as requested_at, u.id as user_id, u.name as user_name, u.email as user_email
from install_requests r
join apps a on a.client_id = r.client_id and a.disabled_at is null
${appJoins}
join users u on u.id = r.user_id and u.disabled_at is null
join members m on m.organization_id = r.organization_id and m.user_id = r.user_id
where r.organization_id = $1 and r.decided_at is null and ${nameContains(2)}
order by r.created_at, r.id`

// The latest request of each app and organization; older answers are outdated.
const ownQuery = `
select ${appColumn}, r.organization_id, o.name as organization_name, r.reason,
  r.created_at as requested_at, r.decided_at
from (
  select distinct on (organization_id, client_id) * from install_requests
  where user_id = $1 order by organization_id, client_id, created_at desc
) r
join apps a on a.client_id = r.client_id and a.disabled_at is null
${appJoins}
join organizations o on o.id = r.organization_id
join members m on m.organization_id = r.organization_id and m.user_id = r.user_id
where (r.decided_at is null or (r.decision = 'refused' and r.decided_at > now() - interval '30 days'))
  and not exists (select 1 from installs i
    where i.organization_id = r.organization_id and i.client_id = r.client_id and i.ended_at is null)
order by r.created_at desc, r.id`

const requestOf = (row: OpenRow): InstallRequest => ({
  id: row.id,
  app: row.app,
  permissions: row.requested_permissions,
  reason: row.reason,
  createdAt: row.requested_at,
  user: { id: row.user_id, name: row.user_name, email: row.user_email },
})

const ownOf = (row: OwnRow): OwnRequest => ({
  app: row.app,
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  reason: row.reason,
  createdAt: row.requested_at,
  refusedAt: row.decided_at,
})

export const createInstallRequestStore = (database: Database): InstallRequestStore => ({
  open: async (organizationId, name) => {
    const values = [organizationId, name]
    const { rows } = await database.query<OpenRow>(openQuery, values, 'open_requests')
    return rows.map(requestOf)
  },
  ofUser: async (userId) => {
    const { rows } = await database.query<OwnRow>(ownQuery, [userId], 'own_requests')
    return rows.map(ownOf)
  },
  refuse: (organizationId, clientId, ids, decidedBy, eventsOf) =>
    database.transaction(async (tx) => {
      const { rows } = await tx.query<{ user_id: string }>(
        `update install_requests set decided_at = now(), decided_by = $4, decision = 'refused'
         where organization_id = $1 and client_id = $2 and decided_at is null
           and ($3::text[] is null or id = any($3))
         returning user_id`,
        [organizationId, clientId, ids, decidedBy],
      )
      await insertAuditEvents(tx, eventsOf(rows.map((row) => row.user_id)))
      return rows.length
    }),
  // An approval locks the row until it commits; a concurrent withdrawal then finds it decided.
  withdraw: (userId, clientId, organizationId, events) =>
    database.transaction(async (tx) => {
      const { count } = await tx.query(
        `update install_requests set decided_at = now(), decided_by = $1, decision = 'withdrawn'
         where user_id = $1 and client_id = $2 and organization_id = $3 and decided_at is null`,
        [userId, clientId, organizationId],
      )
      if (count > 0) await insertAuditEvents(tx, events)
      return count > 0
    }),
})
