import type {
  InstalledApp,
  OrganizationAppStore,
} from '../../../core/organizations/organization-apps.ts'
import { lastUseOfInstall } from '../audit/last-use.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import { type Columns, computed, of, plain, selected, since } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { asText, listIds } from '../connection/lists.ts'
import { foundNearby } from '../connection/search-sources.ts'
import { peopleWithAccess } from './app-people.ts'
import { isLiveInstall } from './live.ts'

type Listed = InstalledApp['install']
type InstalledRow = Omit<InstalledApp, 'install'> & Listed

const installColumns: Columns<Listed> = {
  ...plain('id', 'organizationId', 'clientId', 'permissions', 'declinedPermissions'),
  ...plain('workspaceIds', 'audience', 'self'),
  suspended: since('suspended_at'),
  ...plain('expiresAt', 'idleSeconds', 'createdAt'),
}

const installedColumns: Columns<InstalledRow> = {
  ...installColumns,
  app: computed(appJson),
  installedBy: of('b', 'name'),
  people: computed(peopleWithAccess),
  lastUsed: computed(lastUseOfInstall),
}

const live = (organization: string) =>
  `i.organization_id = ${organization} and ${isLiveInstall('i')}`

/** Live installs of the organization $1. */
const installed = (where: string, order: string) => `
select ${selected(installedColumns, 'i')}
from installs i
join apps a on a.client_id = i.client_id
${appJoins}
left join users b on b.id = i.installed_by
where ${live('$1')} and ${where} ${order}`

const longUnused = 90 // days

/** The install `i` was used at some time in the last days, or is younger than that. */
const isInUse = `greatest(i.created_at, ${lastUseOfInstall}) > now() - interval '${longUnused} days'`

const inState = `case ?::text
  when 'working' then i.suspended_at is null and a.disabled_at is null
  when 'suspended' then i.suspended_at is not null
  when 'unused' then not ${isInUse} end`

/** The app `a` may ask for permissions that no admin has approved or declined for the install `i`. */
const asksForMore = 'not (a.permissions <@ (i.permissions || i.declined_permissions))'

const listed = {
  ...{ columns: 'i.id', key: 'i.id', created: 'i.created_at', order: 'name' },
  table: 'installs i join apps a on a.client_id = i.client_id',
  where: live('?'),
  orders: { name: 'lower(a.name)', last_used: asText(lastUseOfInstall) },
  filters: { state: inState },
  search: foundNearby('app', 'i.client_id', 'a.name'),
}
const listQuery = installed('i.id = any($2)', 'order by array_position($2::text[], i.id)')
const wideningQuery = installed(asksForMore, 'order by lower(a.name), i.id limit $2::integer')
const findQuery = installed('i.client_id = $2', '')

// Requests as `openQuery` in install-requests.ts finds them.
const waitingIn = (organization: string) => `(
  select count(distinct r.client_id)::integer
  from install_requests r
  join apps a on a.client_id = r.client_id and a.disabled_at is null
  join users u on u.id = r.user_id and u.disabled_at is null
  join members m on m.organization_id = r.organization_id and m.user_id = r.user_id
  where r.organization_id = ${organization} and r.decided_at is null
) as requested, (
  select count(*)::integer from installs i join apps a on a.client_id = i.client_id
  where i.organization_id = ${organization} and i.ended_at is null and ${asksForMore}
) as widening`
const waitingQuery = `select ${waitingIn('$1')}`

const waitingForQuery = `
select id, name, requested + widening as count from (
  select o.id, o.name, ${waitingIn('o.id')}
  from members own join organizations o on o.id = own.organization_id
  where own.user_id = $1 and own.role = 'admin'
) administered where requested + widening > 0 order by 3 desc, lower(name), id limit 10`

const installedOf = ({ app, installedBy, people, lastUsed, ...install }: InstalledRow) => ({
  ...{ app, installedBy, people, lastUsed },
  install,
})

export const createOrganizationAppStore = (database: Database): OrganizationAppStore => ({
  list: async (organizationId, page) => {
    const { ids, next } = await listIds(database, page, listed, [organizationId])
    const values = [organizationId, ids]
    const rows = await database.rows<InstalledRow>(listQuery, values, 'installed_apps')
    return { items: rows.map(installedOf), next }
  },
  widening: async (organizationId, limit) => {
    const values = [organizationId, limit]
    const rows = await database.rows<InstalledRow>(wideningQuery, values, 'widening_apps')
    return rows.map(installedOf)
  },
  waiting: (organizationId) => database.one(waitingQuery, [organizationId], 'waiting_decisions'),
  waitingFor: (userId) => database.rows(waitingForQuery, [userId], 'waiting_for_admin'),
  find: async (organizationId, clientId) => {
    const values = [organizationId, clientId]
    const row = await database.row<InstalledRow>(findQuery, values, 'installed_app')
    return row ? installedOf(row) : null
  },
  knows: (organizationId, clientId) =>
    database.affects(
      `select 1 from installs where organization_id = $1 and client_id = $2
       union all
       select 1 from install_requests where organization_id = $1 and client_id = $2 limit 1`,
      [organizationId, clientId],
    ),
})
