import type { WorkspaceStore } from '../../../core/organizations/workspaces.ts'
import { changeRows } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'
import { lockOrganization } from '../organizations/organizations.ts'
import { places } from '../organizations/places.ts'
import type { StoredKind } from './groups.ts'

/** Groups that are the workspaces of the organization; `scim_groups` has what the provider says of them. */
export const workspaceGroups = (
  database: Database,
  workspaces: Pick<WorkspaceStore, 'remove'>,
): StoredKind => ({
  place: places.workspaces,
  join: 'left join scim_groups own on own.workspace_id = g.id',
  externalId: 'own.external_id',
  putExternalId: (isOwn) =>
    `insert into scim_groups (workspace_id, external_id, is_own) values ($1, $2, ${isOwn})
     on conflict (workspace_id) do update set external_id = $2
     where scim_groups.external_id is distinct from $2`,
  remove: async (organizationId, id, event) => {
    const row = await database.row<{ is_own: boolean }>(
      `select coalesce(own.is_own, false) as is_own from workspaces w
         left join scim_groups own on own.workspace_id = w.id
        where w.organization_id = $1 and w.id = $2`,
      [organizationId, id],
    )
    if (!row) return false
    return row.is_own ? workspaces.remove(id, () => [event]) : 'not_own'
  },
})

/** Groups that are nothing else, and the provider's own. */
export const directoryGroups = (database: Database): StoredKind => ({
  place: places.groups,
  join: '',
  externalId: 'g.external_id',
  putExternalId: () =>
    'update directory_groups set external_id = $2 where id = $1 and external_id is distinct from $2',
  remove: database.inTransaction(async (tx, organizationId, id, event) => {
    // The lock keeps an approval from naming the group while it is deleted.
    await lockOrganization(tx, organizationId)
    const text = 'delete from directory_groups where organization_id = $1 and id = $2'
    return changeRows(tx, text, [organizationId, id], [event])
  }),
})
