import type {
  AccessReviewStore,
  ReviewedAccess,
} from '../../../core/organizations/access-review.ts'
import type { Database } from '../connection/database.ts'

const findings = (row: string) => `array_remove(array[
    case when ${row}.last_used_at is null and ${row}.since < now() - interval '7 days' then 'never_used' end,
    case when ${row}.last_used_at < now() - interval '90 days' then 'unused' end,
    case when cardinality(${row}.surplus) > 0 then 'surplus' end,
    case when ${row}.expires_at < now() + interval '30 days' then 'expiring' end
  ], null)`

const found = (row: string) => `
select ${row}.client_id as "clientId", ${row}.app_name as "appName", ${row}.interface, ${row}.person,
       ${row}.surplus, ${row}.since, ${row}.last_used_at as "lastUsedAt", ${row}.expires_at as "expiresAt",
       ${row}.idle_seconds as "idleSeconds", f.findings
  from reviewed ${row} cross join lateral (select ${findings(row)} as findings) f
 where cardinality(f.findings) > 0
 order by lower(${row}.app_name), ${row}.client_id, ${row}.person ->> 'name' limit $2`

// An app that gets tokens for itself may need more than its users allow, and legacy answers need no consent.
const installs = `
with reviewed as (
  select i.client_id, a.name as app_name, a.interface, null::json as person, i.created_at as since,
         i.expires_at, i.idle_seconds,
         greatest(i.last_used_at, (select max(last_used_at) from grants where install_id = i.id)) as last_used_at,
         case when a.interface = 'current' and c.people > 0 and not exists (
                select from usage_days
                 where organization_id = i.organization_id and client_id = i.client_id
                   and outcome = 'issued' and reason = 'client_credentials')
              then array(select unnest(i.permissions) except select unnest(c.permissions))
              else '{}' end as surplus
    from installs i join apps a on a.client_id = i.client_id
   cross join lateral (
     select count(*) as people, coalesce(array_agg(p.name) filter (where p.name is not null), '{}') as permissions
       from consents left join lateral unnest(permissions) p (name) on true
      where install_id = i.id
   ) c
   where i.organization_id = $1 and i.ended_at is null and coalesce(i.expires_at > now(), true)
)
${found('r')}`

const consents = `
with reviewed as (
  select c.client_id, a.name as app_name, a.interface,
         json_build_object('name', u.name, 'email', u.email) as person, c.created_at as since,
         c.expires_at, c.idle_seconds, '{}'::text[] as surplus,
         greatest(c.last_used_at, (select max(last_used_at) from grants
           where user_id = c.user_id and install_id = c.install_id)) as last_used_at
    from consents c
    join installs i on i.id = c.install_id and i.ended_at is null
    join apps a on a.client_id = c.client_id
    join users u on u.id = c.user_id
    join members m on m.organization_id = c.organization_id and m.user_id = c.user_id
   where c.organization_id = $1 and coalesce(c.expires_at > now(), true)
)
${found('r')}`

export const createAccessReviewStore = (database: Database): AccessReviewStore => {
  const read = (query: string, name: string) => async (organizationId: string, limit: number) => {
    const { rows } = await database.query<ReviewedAccess>(query, [organizationId, limit], name)
    return rows
  }
  return {
    installs: read(installs, 'review_installs'),
    consents: read(consents, 'review_consents'),
  }
}
