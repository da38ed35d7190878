import type { ListedMember, MemberListStore } from '../../../core/organizations/member-list.ts'
import { type Columns, computed, of, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { afterUser, toPage, userIdOf, userMatches, userPlace } from '../connection/paging.ts'

const namedWorkspaces = 5

const columns: Columns<ListedMember> = {
  userId: of('m'),
  name: of('u'),
  email: of('u'),
  role: of('m'),
  disabled: computed('u.disabled_at is not null'),
  lastSignIn: computed('(select max(created_at) from sessions where user_id = m.user_id)'),
  workspaces: computed(`coalesce(w.names[1:${namedWorkspaces}], '{}')`),
  workspaceCount: computed('coalesce(cardinality(w.names), 0)'),
}

// Chooses the page first, then reads workspaces and sessions of its members only.
const listQuery = `
select ${selected(columns)}, ${userPlace}
from (
  select m.organization_id, m.user_id, m.role from members m join users u on u.id = m.user_id
  where m.organization_id = $1 and ($2::text is null or m.role = $2)
    and ${userMatches(3)} and ${afterUser(4)}
  order by lower(u.name), u.id limit $5::integer + 1
) m
join users u on u.id = m.user_id
cross join lateral (
  select array_agg(w.name order by lower(w.name), w.id) as names
    from workspace_members wm join workspaces w on w.id = wm.workspace_id
   where wm.user_id = m.user_id and w.organization_id is not distinct from m.organization_id
) w
order by lower(u.name), u.id`

export const createMemberListStore = (database: Database): MemberListStore => ({
  list: async (organizationId, search) => {
    const { rows } = await database.query<ListedMember & { place: string }>(
      listQuery,
      [organizationId, search.role, search.name, userIdOf(search), search.limit],
      'members_listed',
    )
    return toPage(rows, search)
  },
})
