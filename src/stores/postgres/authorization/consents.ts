import type { Membership } from '../../../core/authorization/consent-steps.ts'
import type { ConsentStore } from '../../../core/authorization/consents.ts'
import type { InstallSummary } from '../../../core/authorization/places.ts'
import { newId } from '../../../core/crypto/identifiers.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'
import { type ConsentRow, consentColumns, consentOf } from './consent-columns.ts'

interface MembershipRow extends Omit<ConsentRow, 'consent_install_id'> {
  organization_id: string
  organization_name: string
  role: Membership['role']
  install_id: string | null
  install_permissions: string[]
  install_workspace_ids: string[] | null
  approved_by: string | null
  install_created_at: string
  suspended: boolean
  consent_install_id: string | null
  requested_at: string | null
  refused_at: string | null
  withdrawn_at: string | null
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

const installOf = (row: MembershipRow): InstallSummary | null =>
  row.install_id === null
    ? null
    : {
        id: row.install_id,
        permissions: row.install_permissions,
        workspaceIds: row.install_workspace_ids,
        approvedBy: row.approved_by,
        createdAt: new Date(row.install_created_at),
        suspended: row.suspended,
      }

const membershipOf = (row: MembershipRow): Membership => ({
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  role: row.role,
  install: installOf(row),
  consent:
    row.consent_install_id === null
      ? null
      : consentOf({ ...row, consent_install_id: row.consent_install_id }),
  requestedAt: dateOf(row.requested_at),
  refusedAt: dateOf(row.refused_at),
  withdrawnAt: dateOf(row.withdrawn_at),
})

const membershipsQuery = `
select coalesce(json_agg(m order by m.organization_name, m.organization_id), '[]') as memberships from (
  select o.id as organization_id, o.name as organization_name, m.role,
    i.id as install_id, i.permissions as install_permissions,
    i.workspace_ids as install_workspace_ids, a.name as approved_by,
    i.created_at as install_created_at, i.suspended_at is not null as suspended,
    ${consentColumns},
    case when r.decided_at is null then r.created_at end as requested_at,
    case when r.decision = 'refused' then r.decided_at end as refused_at,
    case when r.decision = 'withdrawn' then r.decided_at end as withdrawn_at
  from members m
  join organizations o on o.id = m.organization_id
  left join installs i
    on i.organization_id = o.id and i.client_id = $2 and i.ended_at is null
  left join users a on a.id = i.installed_by
  left join consents c
    on c.user_id = m.user_id and c.organization_id = o.id and c.client_id = $2
  left join lateral (
    select created_at, decided_at, decision from install_requests
     where user_id = m.user_id and organization_id = o.id and client_id = $2
     order by created_at desc limit 1
  ) r on true
  where m.user_id = $1
) m`

export const createConsentStore = (database: Database): ConsentStore => {
  const readApp = batchedRead<AppRow>(database, {
    name: 'find_app',
    query: `select ${appColumn} from apps a ${appJoins} where a.client_id = $1`,
    types: ['text'],
  })
  const readMemberships = batchedRead<{ memberships: MembershipRow[] }>(database, {
    name: 'memberships',
    query: membershipsQuery,
    types: ['text', 'text'],
  })

  return {
    findApp: async (clientId) => (await readApp([clientId]))?.app ?? null,
    memberships: async (userId, clientId) => {
      const row = await readMemberships([userId, clientId])
      return (row?.memberships ?? []).map(membershipOf)
    },
    workspaces: async (organizationId, userId) => {
      // A subquery without a reference to `w` is hashed. A join might compare each workspace with each membership, as long
      // as the statistics are those of a smaller organization.
      const { rows } = await database.query<{ id: string; name: string; is_member: boolean }>(
        `select w.id, w.name,
           w.id in (select workspace_id from workspace_members where user_id = $2) as is_member
         from workspaces w
        where w.organization_id = $1
        order by w.name, w.id`,
        [organizationId, userId],
        'workspaces_of',
      )
      return rows.map((row) => ({ id: row.id, name: row.name, isMember: row.is_member }))
    },
    adminNames: async (organizationId) => {
      const { rows } = await database.query<{ name: string }>(
        `select u.name from members m join users u on u.id = m.user_id
        where m.organization_id = $1 and m.role = 'admin' and u.disabled_at is null
        order by u.name limit 6`,
        [organizationId],
      )
      return rows.map((row) => row.name)
    },
    remember: (key, after, audit) =>
      database.transaction(async (tx) => {
        const { userId, organizationId, clientId } = key
        // The first answer has no row to lock, so a concurrent answer waits for the membership's lock.
        await tx.query(
          'select from members where organization_id = $1 and user_id = $2 for no key update',
          [organizationId, userId],
        )
        const { rows } = await tx.query<ConsentRow>(
          `select ${consentColumns} from consents c
          where c.user_id = $1 and c.organization_id = $2 and c.client_id = $3`,
          [userId, organizationId, clientId],
        )
        const consent = after(rows[0] ? consentOf(rows[0]) : null)
        await tx.query(
          `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions,
           workspace_ids, offered_workspace_ids, openid_scopes, resources)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (user_id, organization_id, client_id) do update
           set install_id = excluded.install_id, offered = excluded.offered,
               permissions = excluded.permissions, workspace_ids = excluded.workspace_ids,
               offered_workspace_ids = excluded.offered_workspace_ids,
               openid_scopes = excluded.openid_scopes, resources = excluded.resources,
               updated_at = now()`,
          [
            userId,
            organizationId,
            clientId,
            consent.installId,
            consent.offered,
            consent.permissions,
            consent.workspaceIds,
            consent.offeredWorkspaceIds,
            consent.openidScopes,
            consent.resources,
          ],
        )
        await insertAuditEvents(tx, [audit])
      }),
    fileInstallRequest: (request, audit) =>
      database.transaction(async (tx) => {
        const { count } = await tx.query(
          `insert into install_requests (id, organization_id, client_id, user_id, permissions, reason)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (organization_id, client_id, user_id) where decided_at is null do nothing`,
          [
            newId('installRequest'),
            request.organizationId,
            request.clientId,
            request.userId,
            request.permissions,
            request.reason,
          ],
        )
        if (count === 1) await insertAuditEvents(tx, [audit])
      }),
  }
}
