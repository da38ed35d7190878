import type { ActivityStore, Named, Names, SecretInUse } from '../../../core/audit/activity.ts'
import type { Database } from '../connection/database.ts'
import { lastUseOfInstall } from './last-use.ts'

// Key sets, workspaces and groups of other organizations have no name here.
const namesQuery = `
select 'clients' as kind, client_id as id, name from apps where client_id = any($2)
union all
select 'clients', client_id, name from key_sets where client_id = any($2) and organization_id = $1
union all
select 'people', id, name from users where id = any($3)
union all
select 'workspaces', id, name from workspaces where id = any($4) and organization_id = $1
union all
select 'groups', id, name from directory_groups where id = any($5) and organization_id = $1`

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
  kind: keyof Names
}

export const createActivityStore = (database: Database): ActivityStore => ({
  names: async (organizationId, { clients, people, workspaces, groups }) => {
    const none = { clients: new Map(), people: new Map(), workspaces: new Map() }
    const names = { ...none, groups: new Map() }
    const ids = [clients, people, workspaces, groups].map((one = []) => one)
    if (ids.flat().length === 0) return names
    const rows = await database.rows<NameRow>(namesQuery, [organizationId, ...ids])
    for (const { kind, id, name } of rows) names[kind].set(id, name)
    return names
  },
  clients: (organizationId) => database.rows<Named>(clientsQuery, [organizationId]),
  apps: (organizationId) => database.rows<Named>(appsQuery, [organizationId]),
  people: (organizationId) => database.rows<Named>(peopleQuery, [organizationId]),
  secrets: (organizationId) => database.rows<SecretInUse>(secretsQuery, [organizationId]),
})
