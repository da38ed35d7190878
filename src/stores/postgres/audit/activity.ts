import type { ActivityStore, Named, NamedKind, Names } from '../../../core/audit/activity.ts'
import type { Database } from '../connection/database.ts'
import { lastUseOfInstall } from './last-use.ts'

// Key sets, workspaces, groups and the names of other organizations have no name here, except for the operator ($1 is null).
const namesQuery = `
select 'clients' as kind, client_id as id, name, null as "keySetId", $1::text is null or exists (
    select from installs i where i.client_id = a.client_id and i.organization_id = $1 and i.ended_at is null
  ) as "isPresent" from apps a where client_id = any($2)
union all
select 'clients', client_id, name, id, true from key_sets
 where client_id = any($2) and ($1 is null or organization_id = $1)
union all
select 'clients', client_id, name, null, false from resource_servers
 where client_id = any($2) and $1 is null
union all
select 'people', id, name, null, $1 is null or exists (
    select from members m where m.user_id = u.id and m.organization_id = $1
  ) from users u where id = any($3)
union all
select 'workspaces', id, name, null, true from workspaces
 where id = any($4) and ($1 is null or organization_id = $1)
union all
select 'groups', id, name, null, true from directory_groups
 where id = any($5) and ($1 is null or organization_id = $1)
union all
select 'organizations', id, name, null, true from organizations
 where id = any($6) and ($1 is null or id = $1)`

const clientsQuery = `
select client_id as id, name from apps
 where client_id in (select client_id from installs where organization_id = $1)
union all
select client_id, name from key_sets where organization_id = $1
order by name, id limit 500`

const appsQuery = `
select client_id as id, name from apps
 where client_id in (select client_id from installs where organization_id = $1)
order by lower(name), id limit 500`

const peopleQuery = `
select u.id, u.name from members m join users u on u.id = m.user_id
where m.organization_id = $1 order by lower(u.name), u.id limit 500`

// An app serves many organizations, which must not see when other organizations used its secret.
const secretsQuery = `
select 'key_set' as kind, k.name, s.hint, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
  s.endless_token_seen_at as "endlessTokenSeenAt"
  from key_sets k join key_set_secrets s on s.key_set_id = k.id
 where k.organization_id = $1 and (s.expires_at is null or s.expires_at > now())
union all
select 'app', a.name, '', s.created_at,
  ${lastUseOfInstall}, null
  from installs i join apps a on a.client_id = i.client_id
  join app_secrets s on s.client_id = a.client_id
 where i.organization_id = $1 and i.ended_at is null
   and (s.expires_at is null or s.expires_at > now())
order by 5 nulls first, 4, 2 limit 200`

interface NameRow extends Named {
  kind: NamedKind
  keySetId: string | null
  isPresent: boolean
}

const kinds = ['clients', 'people', 'workspaces', 'groups', 'organizations'] as const

const namesOf = (rows: readonly NameRow[]): Names => {
  const ofKind = (kind: NamedKind) =>
    new Map(rows.flatMap((row) => (row.kind === kind ? [[row.id, row.name]] : [])))
  return {
    clients: ofKind('clients'),
    people: ofKind('people'),
    workspaces: ofKind('workspaces'),
    groups: ofKind('groups'),
    organizations: ofKind('organizations'),
    keySets: new Map(rows.flatMap(({ id, keySetId }) => (keySetId ? [[id, keySetId]] : []))),
    present: new Set(rows.flatMap(({ id, isPresent }) => (isPresent ? [id] : []))),
  }
}

export const createActivityStore = (database: Database): ActivityStore => ({
  names: async (organizationId, wanted) => {
    const ids = kinds.map((kind) => wanted[kind] ?? [])
    if (ids.flat().length === 0) return namesOf([])
    return namesOf(await database.rows<NameRow>(namesQuery, [organizationId, ...ids]))
  },
  clients: (organizationId) => database.rows(clientsQuery, [organizationId]),
  apps: (organizationId) => database.rows(appsQuery, [organizationId]),
  people: (organizationId) => database.rows(peopleQuery, [organizationId]),
  secrets: (organizationId) => database.rows(secretsQuery, [organizationId]),
})
