import type { PageRequest } from '../../../core/language/paging.ts'
import type {
  AppPerson,
  AppUseInOrganization,
  AppUseStore,
} from '../../../core/organizations/app-use.ts'
import {
  type Columns,
  column,
  computed,
  of,
  plain,
  selected,
  since,
} from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

/** The id in a place of these lists. */
const idOf = ({ after }: PageRequest) => after?.split('.')[1] ?? ''

const useColumns: Columns<AppUseInOrganization> = {
  organizationId: column,
  organizationName: of('o', 'name'),
  permissions: column,
  suspended: since('suspended_at'),
  people: of('g'),
  moved: computed('coalesce(m.moved, 0)'),
  twinInstalled: computed(
    'case when t.client_id is not null then coalesce(m.installed, false) end',
  ),
  lastUsedAt: of('g'),
  issued: of('u'),
  refused: of('u'),
}

// Selects the page first, then counts only for the organizations on it.
const organizationsQuery = `
with page as materialized (
  select id, organization_id, permissions, suspended_at from installs
   where client_id = $1 and ended_at is null and organization_id > $2
   order by organization_id limit $3::integer + 1
)
select ${selected(useColumns, 'i')},
  '0.' || i.organization_id as place
from page i
join organizations o on o.id = i.organization_id
left join app_twins t on t.legacy_client_id = $1
cross join lateral (
  select count(distinct user_id)::integer as people, max(last_used_at) as last_used_at
    from grants where install_id = i.id and ended_at is null and used
) g
left join lateral (
  select true as installed,
         (select count(*)::integer from grants
           where install_id = ti.id and ended_at is null and moved_from = $1) as moved
    from installs ti
   where ti.client_id = t.client_id and ti.organization_id = i.organization_id and ti.ended_at is null
) m on true
cross join lateral (
  select coalesce(jsonb_object_agg(reason, count) filter (where outcome = 'issued'), '{}') as issued,
         coalesce(jsonb_object_agg(reason, count) filter (where outcome = 'refused'), '{}') as refused
    from (
      select outcome, reason, sum(count) as count from usage_days
       where organization_id = i.organization_id and client_id = $1 and day between $4 and $5
       group by outcome, reason
    ) d
) u
order by i.organization_id`

const personColumns: Columns<AppPerson> = {
  userId: column,
  name: of('u'),
  email: of('u'),
  ...plain('permissions', 'since', 'lastUsedAt'),
}

const peopleQuery = `
select ${selected(personColumns, 'g')}, '0.' || u.id as place
from (
  select distinct on (user_id) user_id, permissions,
         min(created_at) over (partition by user_id) as since,
         max(last_used_at) over (partition by user_id) as last_used_at
    from grants where install_id = $1 and ended_at is null and used and user_id > $2
   order by user_id, created_at desc limit $3::integer + 1
) g
join users u on u.id = g.user_id
order by u.id`

export const createAppUseStore = (database: Database): AppUseStore => ({
  organizations: async (clientId, { from, to }, page) => {
    if (!(await database.affects('select client_id from apps where client_id = $1', [clientId])))
      return null
    return database.page<AppUseInOrganization>(
      page,
      organizationsQuery,
      [clientId, idOf(page), page.limit, from, to],
      'app_use',
    )
  },
  people: async (clientId, organizationId, page) => {
    const installs = await database.row<{ id: string }>(
      `select id from installs
        where organization_id = $1 and client_id = $2 and ended_at is null`,
      [organizationId, clientId],
    )
    if (!installs) return null
    return database.page<AppPerson>(
      page,
      peopleQuery,
      [installs.id, idOf(page), page.limit],
      'app_people',
    )
  },
})
