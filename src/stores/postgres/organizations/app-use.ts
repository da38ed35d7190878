import type {
  AppPerson,
  AppUseInOrganization,
  AppUseStore,
} from '../../../core/organizations/app-use.ts'
import { lastUseOfInstall } from '../audit/last-use.ts'
import {
  type Columns,
  computed,
  of,
  plain,
  plainOf,
  selected,
  since,
} from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { listIds } from '../connection/lists.ts'
import { foundIn } from '../connection/search-sources.ts'
import {
  accessColumns,
  accessJoins,
  hasAccess,
  isLiveGrant,
  listedPeople,
  membersOfInstall,
  peopleWithAccess,
  withAccess,
} from './app-people.ts'

const liveInstall =
  'select from installs where organization_id = $1 and client_id = $2 and ended_at is null'

const useColumns: Columns<AppUseInOrganization> = {
  ...plain('organizationId', 'permissions'),
  organizationName: of('o', 'name'),
  suspended: since('suspended_at'),
  people: computed(peopleWithAccess),
  moved: computed('coalesce(m.moved, 0)'),
  twinInstalled: computed(
    'case when t.client_id is not null then coalesce(m.installed, false) end',
  ),
  lastUsedAt: computed(lastUseOfInstall),
  ...plainOf('u', 'issued', 'refused'),
}

const listed = {
  ...{ columns: 'o.id', key: 'o.id', created: 'i.created_at', orders: { name: 'lower(o.name)' } },
  table: 'installs i join organizations o on o.id = i.organization_id',
  where: 'i.client_id = ? and i.ended_at is null',
  search: foundIn('organization', 'o.id'),
}

/** Those with the ids in $2, in their order. */
const organizationsQuery = `
select ${selected(useColumns, 'i')}
from installs i
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
       where organization_id = i.organization_id and client_id = $1 and day between $3 and $4
       group by outcome, reason
    ) d
) u
where i.client_id = $1 and i.ended_at is null and o.id = any($2) order by array_position($2::text[], o.id)`

const personColumns: Columns<AppPerson> = {
  ...{ ...plainOf('m', 'userId'), ...plainOf('u', 'name', 'email') },
  permissions:
    computed(`coalesce(c.permissions, case when ac.user_id is not null then i.permissions end,
    (select permissions from grants g where install_id = i.id and user_id = m.user_id and ${isLiveGrant}
      order by created_at desc limit 1), '{}')`),
  since: accessColumns.since,
  lastUsedAt: accessColumns.lastUsed,
}

/** Those with the ids in $3, in their order. */
const peopleQuery = `
select ${selected(personColumns)} from ${membersOfInstall} ${accessJoins}
where ${withAccess('$1', '$2')} and m.user_id = any($3) order by array_position($3::text[], m.user_id)`

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
  reach: (clientId) => database.one(reachQuery, [clientId]),
  organizations: async (clientId, { from, to }, page) => {
    if (!(await database.affects('select client_id from apps where client_id = $1', [clientId])))
      return null
    const { ids, next } = await listIds(database, page, listed, [clientId])
    const values = [clientId, ids, from, to]
    return { items: await database.rows(organizationsQuery, values, 'app_use'), next }
  },
  people: async (clientId, organizationId, page) => {
    const install = [organizationId, clientId]
    if (!(await database.affects(liveInstall, install))) return null
    const { ids, next } = await listIds(database, page, listedPeople, install)
    return { items: await database.rows(peopleQuery, [...install, ids], 'app_people'), next }
  },
})
