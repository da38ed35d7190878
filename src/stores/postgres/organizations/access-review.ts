import type { Page, PageRequest } from '../../../core/language/paging.ts'
import type {
  AccessReviewStore,
  ReviewedAccess,
} from '../../../core/organizations/access-review.ts'
import { lastUseFor, lastUseOfInstall } from '../audit/last-use.ts'
import type { Database } from '../connection/database.ts'
import { asText, listRows } from '../connection/lists.ts'
import { foundNearby } from '../connection/search-sources.ts'
import { isLiveInstall, liveConsent } from './live.ts'
import { unusedOf } from './permission-use.ts'

const findings = `array_remove(array[
    case when r.last_used_at is null and r.install_id is not null then 'never_used' end,
    case when r.last_used_at < now() - interval '90 days' then 'unused' end,
    case when cardinality(r.surplus) > 0 then 'surplus' end,
    case when r.idle ->> '30' <> '[]' then 'idle' end,
    case when r.expires_at < now() + interval '30 days' then 'expiring' end
  ], null)`

const columns = `r.client_id as "clientId", r.app_name as "appName", r.interface, r.person, r.surplus, r.idle, r.since,
       r.last_used_at as "lastUsedAt", r.expires_at as "expiresAt", r.idle_seconds as "idleSeconds"`

const placeOf = (alias: string) => `'0.' || ${alias}.install_id || ',' || ${alias}.user_id as place`

/** With at least one finding, for an organization. Each row is read once, as `offset 0` keeps it whole. */
const listed = (reviewed: string) => ({
  table: `organizations o cross join lateral (${reviewed} offset 0) r
    cross join lateral (select ${findings} as findings) f`,
  where: 'o.id = ? and cardinality(f.findings) > 0',
  columns: `${columns}, f.findings`,
  ...{ key: `(r.install_id || ',' || r.user_id)`, created: 'r.since', order: 'name' },
  orders: {
    name: `lower(r.app_name) || ' ' || lower(coalesce(r.person ->> 'name', ''))`,
    last_used: asText('r.last_used_at'),
  },
  filters: { finding: '? = any(f.findings)' },
  search: foundNearby(
    'app',
    'r.client_id',
    'r.app_name',
    `(r.person ->> 'name')`,
    `(r.person ->> 'email')`,
  ),
})

// Reads some rows in the order of their ids, and only then looks for findings, so that each row is read once.
const byId = (reviewed: string, part: string, keys: string) => `
with part as materialized (${part} limit $4::integer + 1),
keys as (select ${keys} from part),
reviewed as (${reviewed})
select ${columns}, f.findings, ${placeOf('s')}
  from keys s left join reviewed r on r.install_id = s.install_id and r.user_id = s.user_id
  left join lateral (select ${findings} as findings) f on true
 order by s.install_id, s.user_id`

// An app that gets tokens for itself may need more than its users allow, and legacy answers need no consent.
const installs = (source: string, organization = '$1') => `
  select i.id as install_id, '' as user_id, i.client_id, a.name as app_name, a.interface,
         null::json as person, i.created_at as since, i.expires_at, i.idle_seconds,
         ${lastUseOfInstall} as last_used_at,
         case when a.interface = 'current' and c.people > 0 and not exists (
                select from usage_days
                 where organization_id = i.organization_id and client_id = i.client_id
                   and outcome = 'issued' and reason = 'client_credentials')
              then array(select unnest(i.permissions) except select unnest(c.permissions))
              else '{}' end as surplus,
         ${unusedOf('i.client_id', 'i.permissions', organization)} as idle
    from ${source} i join apps a on a.client_id = i.client_id
   cross join lateral (
     select count(*) as people, coalesce(array_agg(p.name) filter (where p.name is not null), '{}') as permissions
       from consents left join lateral unnest(permissions) p (name) on true
      where install_id = i.id
   ) c
   where i.organization_id = ${organization} and ${isLiveInstall('i')}`

const consents = (source: string, organization = '$1') => `
  select c.install_id, c.user_id, c.client_id, a.name as app_name, a.interface,
         json_build_object('id', u.id, 'name', u.name, 'email', u.email) as person,
         c.created_at as since, c.expires_at, c.idle_seconds,
         ${lastUseFor('c.install_id', 'c.user_id')} as last_used_at,
         '{}'::text[] as surplus, null::json as idle
    from ${source} c
    join installs i on i.id = c.install_id and i.ended_at is null
    join apps a on a.client_id = c.client_id
    join users u on u.id = c.user_id
    join members m on m.organization_id = c.organization_id and m.user_id = c.user_id
   where c.organization_id = ${organization} and ${liveConsent}`

const someInstalls = `
  select * from installs where organization_id = $1 and ended_at is null
     and ($2::text is null or (id, '') > ($2, $3::text)) order by id`
const someConsents = `
  select * from consents where organization_id = $1
     and ($2::text is null or (install_id, user_id) > ($2, $3::text)) order by install_id, user_id`

const valuesOf = (organizationId: string, { after, limit }: PageRequest) => {
  const [installId = null, userId = ''] = after?.slice(after.indexOf('.') + 1).split(',') ?? []
  return [organizationId, installId, userId, limit]
}

// A row of `allInstalls` or `allConsents` that is not to be reviewed has no findings and nulls in its other columns.
export const createAccessReviewStore = (database: Database): AccessReviewStore => {
  const list =
    (reviewed: string): AccessReviewStore['installs'] =>
    (organizationId, page) =>
      listRows<ReviewedAccess>(database, page, listed(reviewed), [organizationId])
  const scan =
    (query: string, name: string) =>
    async (organizationId: string, page: PageRequest): Promise<Page<ReviewedAccess>> => {
      const values = valuesOf(organizationId, page)
      const { items, next } = await database.page<ReviewedAccess>(page, query, values, name)
      return { items: items.filter(({ findings }) => findings.length > 0), next }
    }
  return {
    installs: list(installs('installs', 'o.id')),
    consents: list(consents('consents', 'o.id')),
    allInstalls: scan(
      byId(installs('part'), someInstalls, `id as install_id, '' as user_id`),
      'review_all_installs',
    ),
    allConsents: scan(
      byId(consents('part'), someConsents, 'install_id, user_id'),
      'review_all_consents',
    ),
  }
}
