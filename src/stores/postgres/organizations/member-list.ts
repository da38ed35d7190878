import type {
  AppOfMember,
  ListedMember,
  MemberListStore,
} from '../../../core/organizations/member-list.ts'
import { lastUseFor } from '../audit/last-use.ts'
import { type Columns, computed, of, plainOf, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { asText, listIds } from '../connection/lists.ts'
import { foundNearby } from '../connection/search-sources.ts'
import { accessColumns, accessJoins, hasAccess } from './app-people.ts'
import { withUser } from './by-user.ts'

/** Names in a list of members, and of one member. */
const some = { workspaces: 5, groups: 5, apps: 3 }
const many = { workspaces: 50, groups: 50, apps: 3 }

const columnsWith = (named: typeof some): Columns<ListedMember> => ({
  ...plainOf('m', 'userId', 'role'),
  ...plainOf('u', 'name', 'email'),
  disabled: computed('u.disabled_at is not null'),
  lastSignIn: computed('(select max(created_at) from sessions where user_id = m.user_id)'),
  workspaces: computed(`coalesce(w.names[1:${named.workspaces}], '{}')`),
  workspaceCount: computed('coalesce(cardinality(w.names), 0)'),
  groups: computed(`array(
    select g.name from directory_group_members gm join directory_groups g on g.id = gm.group_id
     where gm.user_id = m.user_id and g.organization_id = m.organization_id
     order by lower(g.name), g.id limit ${named.groups})`),
  apps: computed(`coalesce(p.names[1:${named.apps}], '{}')`),
  appCount: computed('coalesce(cardinality(p.names), 0)'),
})

// Installs that may act for the member `m`, found by the member; `hasAccess` decides.
const mayAct = `i.organization_id = m.organization_id and i.ended_at is null and i.id in (
    select install_id from consents where user_id = m.user_id
    union all select install_id from grants where user_id = m.user_id and ended_at is null
    union all select install_id from asserted_connections where user_id = m.user_id)
  and u.disabled_at is null and ${hasAccess}`

/** Members of the organization $1 with the ids in $2, in their order. */
const members = (named: typeof some) => `
select ${selected(columnsWith(named))}
from members m
join users u on u.id = m.user_id
cross join lateral (
  select array_agg(w.name order by lower(w.name), w.id) as names
    from workspace_members wm join workspaces w on w.id = wm.workspace_id
   where wm.user_id = m.user_id and w.organization_id is not distinct from m.organization_id
) w
cross join lateral (
  select array_agg(a.name order by lower(a.name), i.id) as names
    from installs i join apps a on a.client_id = i.client_id
   where ${mayAct}
) p
where m.organization_id = $1 and m.user_id = any($2)
order by array_position($2::text[], m.user_id)`

const listed = {
  ...{ ...withUser, table: 'members m join users u on u.id = m.user_id' },
  where: 'm.organization_id = ?',
  orders: { ...withUser.orders, role: `m.role || ' ' || lower(u.name)` },
  filters: { role: 'm.role = ?' },
}

const appColumns: Columns<AppOfMember> = { clientId: of('i'), name: of('a'), ...accessColumns }

const withApps = `members m
  join users u on u.id = m.user_id
  join installs i on i.organization_id = m.organization_id
  join apps a on a.client_id = i.client_id
  ${accessJoins}`

const listedApps = {
  ...{ table: withApps, where: `m.organization_id = ? and m.user_id = ? and ${mayAct}` },
  ...{ columns: 'i.id', key: 'i.id', created: 'i.created_at', order: 'name' },
  orders: { name: 'lower(a.name)', last_used: asText(lastUseFor('i.id', 'm.user_id')) },
  search: foundNearby('app', 'i.client_id', 'a.name'),
}

/** The installs in $3, in their order. */
const appsQuery = `
select ${selected(appColumns)} from ${withApps}
where m.organization_id = $1 and m.user_id = $2 and i.id = any($3)
order by array_position($3::text[], i.id)`

export const createMemberListStore = (database: Database): MemberListStore => ({
  list: async (organizationId, page) => {
    const { ids, next } = await listIds(database, page, listed, [organizationId])
    const values = [organizationId, ids]
    return { items: await database.rows(members(some), values, 'members_listed'), next }
  },
  find: (organizationId, userId) =>
    database.row<ListedMember>(members(many), [organizationId, [userId]], 'member_listed'),
  apps: async (organizationId, userId, page) => {
    const member = [organizationId, userId]
    const { ids, next } = await listIds(database, page, listedApps, member)
    return { items: await database.rows(appsQuery, [...member, ids], 'apps_of_member'), next }
  },
})
