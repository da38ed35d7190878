import type { PageRequest } from '../../../core/language/paging.ts'
import type {
  AppPerson,
  AppUseInOrganization,
  AppUseStore,
} from '../../../core/organizations/app-use.ts'
import type { Database } from '../connection/database.ts'
import { toPage } from '../connection/paging.ts'

interface UseRow {
  organization_id: string
  organization_name: string
  permissions: string[]
  suspended: boolean
  people: number
  moved: number
  twin_installed: boolean | null
  last_used_at: Date | null
  issued: Record<string, number>
  refused: Record<string, number>
}

interface PersonRow {
  user_id: string
  name: string
  email: string
  permissions: string[]
  since: Date
  last_used_at: Date | null
}

const toUse = (row: UseRow): AppUseInOrganization => ({
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  permissions: row.permissions,
  suspended: row.suspended,
  people: row.people,
  moved: row.moved,
  twinInstalled: row.twin_installed,
  lastUsedAt: row.last_used_at,
  issued: row.issued,
  refused: row.refused,
})

const toPerson = (row: PersonRow): AppPerson => ({
  userId: row.user_id,
  name: row.name,
  email: row.email,
  permissions: row.permissions,
  since: row.since,
  lastUsedAt: row.last_used_at,
})

/** The id in a place of these lists. */
const idOf = ({ after }: PageRequest) => after?.split('.')[1] ?? ''

// Selects the page first, then counts only for the organizations on it.
const organizationsQuery = `
with page as materialized (
  select id, organization_id, permissions, suspended_at from installs
   where client_id = $1 and ended_at is null and organization_id > $2
   order by organization_id limit $3::integer + 1
)
select i.organization_id, o.name as organization_name, i.permissions,
  i.suspended_at is not null as suspended, g.people, g.last_used_at, coalesce(m.moved, 0) as moved,
  case when t.client_id is not null then coalesce(m.installed, false) end as twin_installed, u.issued, u.refused,
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

const peopleQuery = `
select u.id as user_id, u.name, u.email, g.permissions, g.since, g.last_used_at,
  '0.' || u.id as place
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
    const app = await database.query('select client_id from apps where client_id = $1', [clientId])
    if (app.count === 0) return null
    const { rows } = await database.query<UseRow & { place: string }>(
      organizationsQuery,
      [clientId, idOf(page), page.limit, from, to],
      'app_use',
    )
    return toPage(rows, page, toUse)
  },
  people: async (clientId, organizationId, page) => {
    const installs = await database.query<{ id: string }>(
      `select id from installs
        where organization_id = $1 and client_id = $2 and ended_at is null`,
      [organizationId, clientId],
    )
    if (!installs.rows[0]) return null
    const { rows } = await database.query<PersonRow & { place: string }>(
      peopleQuery,
      [installs.rows[0].id, idOf(page), page.limit],
      'app_people',
    )
    return toPage(rows, page, toPerson)
  },
})
