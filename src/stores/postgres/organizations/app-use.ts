import type { PageRequest } from '../../../core/language/paging.ts'
import type {
  AppPerson,
  AppUseInOrganization,
  AppUseStore,
} from '../../../core/organizations/app-use.ts'
import { lastUseOfInstall } from '../audit/last-use.ts'
import { type Columns, column, computed, of, selected, since } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { accessColumns, accessJoins, hasAccess, peopleWithAccess } from './app-people.ts'

/** The id in a place of these lists. */
const idOf = ({ after }: PageRequest) => after?.split('.')[1] ?? ''

const useColumns: Columns<AppUseInOrganization> = {
  organizationId: column,
  organizationName: of('o', 'name'),
  permissions: column,
  suspended: since('suspended_at'),
  people: computed(peopleWithAccess),
  moved: computed('coalesce(m.moved, 0)'),
  twinInstalled: computed(
    'case when t.client_id is not null then coalesce(m.installed, false) end',
  ),
  lastUsedAt: computed(lastUseOfInstall),
  issued: of('u'),
  refused: of('u'),
}

// Selects the page first, then counts only for the organizations on it.
const organizationsQuery = `
with page as materialized (
  select id, client_id, organization_id, permissions, suspended_at, last_used_at from installs
   where client_id = $1 and ended_at is null and organization_id > $2
   order by organization_id limit $3::integer + 1
)
select ${selected(useColumns, 'i')},
  '0.' || i.organization_id as place
from page i
join apps a on a.client_id = i.client_id
join organizations o on o.id = i.organization_id
left join app_twins t on t.legacy_client_id = $1
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
  userId: of('m'),
  name: of('u'),
  email: of('u'),
  permissions:
    computed(`coalesce(c.permissions, case when ac.user_id is not null then i.permissions end,
    (select permissions from grants where install_id = i.id and user_id = m.user_id and ended_at is null
      order by created_at desc limit 1), '{}')`),
  since: accessColumns.since,
  lastUsedAt: accessColumns.lastUsed,
}

// Chooses the page first, then reads the access of its members only.
const peopleQuery = `
select ${selected(personColumns)}, '0.' || u.id as place
from (
  select m.user_id
  from installs i
  join apps a on a.client_id = i.client_id
  join members m on m.organization_id = i.organization_id
  join users u on u.id = m.user_id and u.disabled_at is null
  where i.id = $1 and m.user_id > $2 and ${hasAccess}
  order by m.user_id limit $3::integer + 1
) m
join users u on u.id = m.user_id
join installs i on i.id = $1
${accessJoins}
order by u.id`

// Begins with those who may have access, who are far fewer than the members of the organizations.
const reachQuery = `
with known as (
  select user_id, install_id from consents where client_id = $1
  union select user_id, install_id from grants where client_id = $1 and ended_at is null
  union select user_id, install_id from asserted_connections where client_id = $1)
select (select count(*)::integer from installs where client_id = $1 and ended_at is null) as organizations,
  (select count(distinct m.user_id)::integer
     from known k
     join installs i on i.id = k.install_id and i.ended_at is null
     join apps a on a.client_id = i.client_id
     join members m on m.organization_id = i.organization_id and m.user_id = k.user_id
     join users u on u.id = m.user_id and u.disabled_at is null
    where ${hasAccess}) as people`

export const createAppUseStore = (database: Database): AppUseStore => ({
  reach: async (clientId) =>
    (await database.row<Awaited<ReturnType<AppUseStore['reach']>>>(reachQuery, [clientId]))!,
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
