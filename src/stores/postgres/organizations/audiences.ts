import type { Audience } from '../../../core/organizations/audience.ts'
import type { WantedApproval } from '../../../core/organizations/install-approval.ts'
import type { Queryable } from '../connection/database.ts'

const ownQuery = `
select 'workspaces' as list, organization_id as "organizationId", id from workspaces where id = any($1)
union all
select 'groups', organization_id, id from directory_groups where id = any($2)
union all
select 'users', organization_id, user_id from members where organization_id = any($4) and user_id = any($3)`

/** Finds the ids of the wanted audiences that belong to their organizations. */
export const ownAudiences = async (tx: Queryable, wanted: readonly WantedApproval[]) => {
  const idsOf = (list: keyof Audience) => [
    ...new Set(wanted.flatMap(({ audience }) => audience[list])),
  ]
  const lists = [idsOf('workspaces'), idsOf('groups'), idsOf('users')]
  const organizations = wanted.map(({ organizationId }) => organizationId)
  const rows = lists.every((ids) => ids.length === 0)
    ? []
    : await tx.rows<{ list: keyof Audience; organizationId: string; id: string }>(ownQuery, [
        ...lists,
        organizations,
      ])
  const known = new Set(rows.map((row) => `${row.list} ${row.organizationId} ${row.id}`))
  return ({ organizationId, audience }: WantedApproval): Audience => {
    const own = (list: keyof Audience) =>
      audience[list].filter((id) => known.has(`${list} ${organizationId} ${id}`))
    return { workspaces: own('workspaces'), groups: own('groups'), users: own('users') }
  }
}
