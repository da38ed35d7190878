import type {
  PermissionUseStore,
  UnusedPermissions,
} from '../../../core/organizations/permission-use.ts'
import type { Database } from '../connection/database.ts'
import { isLiveInstall } from './live.ts'

const liveInstall = `i.organization_id = $2 and ${isLiveInstall('i')}`

/** Within the last days, including today. */
const isWithin = (days: number | string) => `d.day > (now() at time zone 'utc')::date - ${days}`

/** @param organization its id, in SQL; null: every data API counts */
const measured = (organization: string, days: number | string) => `(
  select coalesce(bool_and(reported), false) from (
    select bool_or(d.reported) as reported
      from resource_server_days d join resource_servers s on s.client_id = d.client_id
     where ${isWithin(days)} and coalesce(${organization} = any(s.organization_ids), true)
     group by d.client_id) one)`

/** An object with the permissions that no data API granted, by days; null: not measured. All parameters are SQL. */
export const unusedOf = (client: string, permissions: string, organization: string) =>
  `json_build_object(${[30, 90].map(
    (days) => `'${days}', case when ${measured(organization, days)} then array(
      select p from unnest(${permissions}) p where not exists (
        select from permission_days d where d.client_id = ${client} and d.permission = p
           and ${isWithin(days)} and coalesce(d.organization_id = ${organization}, true))) end`,
  )})`

// All writers lock in the same order. A key locks its row, so of the same reports at once one is counted.
const addReport = `
with fresh as (
  insert into usage_keys as k (client_id, key) select $1, $3 where $3::text is not null
  on conflict (client_id, key) do update set at = now() where k.at <= now() - interval '1 day'
  returning 1),
counted as (select where $3::text is null or exists (select from fresh)),
reported as (
  insert into resource_server_days as d (client_id, day, reported)
  select client_id, $2::date, true from resource_servers, counted where client_id = $1
  on conflict (client_id, day) do update set reported = true where not d.reported),
part as materialized (
  select * from jsonb_to_recordset($4::jsonb)
    as part ("organizationId" text, "clientId" text, permission text, count bigint)),
known as materialized (
  select id from organizations where id = any(array(select "organizationId" from part))
   order by id for key share)
insert into permission_days as d (organization_id, client_id, permission, day, count)
select known.id, "clientId", permission, $2::date, least(sum(count), 1e15)::bigint
  from counted, part join known on known.id = "organizationId"
 where exists (select from installs i
   where i.organization_id = known.id and i.client_id = part."clientId")
 group by 1, 2, 3 order by 1, 2, 3
on conflict (organization_id, client_id, permission, day)
do update set count = least(d.count + excluded.count, 1e15)::bigint`

export const createPermissionUseStore = (database: Database): PermissionUseStore => ({
  add: ({ clientId, day, key, counts }) =>
    database.run(addReport, [clientId, day, key, JSON.stringify(counts)], 'usage_report'),

  seen: (...values) =>
    database.run(
      `with asking as (update resource_servers set introspected_at = now() where client_id = $1 and $3)
       insert into resource_server_days (client_id, day, reported)
       select client_id, $2, false from resource_servers where client_id = $1
       on conflict do nothing`,
      values,
    ),

  ofInstall: ({ organizationId, clientId }, days) =>
    database.row(
      `select ${measured('$2', '$3::integer')} as measured, array(
         select json_build_object('permission', p.name,
                  'count', coalesce(sum(d.count), 0), 'lastUsedOn', max(d.day))
           from unnest(i.permissions || case a.interface when 'current' then array['read'] end)
                with ordinality p (name, place)
           left join permission_days d on d.organization_id = $2 and d.client_id = $1
                and d.permission = p.name and ${isWithin('$3::integer')}
          group by p.name, p.place order by p.place) as permissions
       from installs i join apps a on a.client_id = i.client_id
       where i.client_id = $1 and ${liveInstall}`,
      [clientId, organizationId, days],
    ),

  unused: (clientId, organizationId) =>
    database.value<UnusedPermissions>(
      `select ${unusedOf('$1', 'coalesce(i.permissions, a.permissions)', '$2::text')} from apps a
         left join installs i on i.client_id = a.client_id and ${liveInstall}
        where a.client_id = $1 and ($2::text is null or i.id is not null)`,
      [clientId, organizationId],
    ),
})
