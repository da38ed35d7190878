import type {
  InstalledApp,
  OrganizationAppStore,
} from '../../../core/organizations/organization-apps.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import { type Columns, column, computed, of, selected, since } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import {
  afterInstall,
  installIdOf,
  installPlace,
  nameContains,
  orderByNames,
  toPage,
} from '../connection/paging.ts'

type Listed = InstalledApp['install']
type InstalledRow = Omit<InstalledApp, 'install'> & Listed

const installColumns: Columns<Listed> = {
  id: column,
  organizationId: column,
  clientId: column,
  permissions: column,
  declinedPermissions: column,
  workspaceIds: column,
  suspended: since('suspended_at'),
  createdAt: column,
}

const installedColumns: Columns<InstalledRow> = {
  ...installColumns,
  app: computed(appJson),
  installedBy: of('b', 'name'),
  people: of('p'),
  lastUsed: computed(
    'greatest(i.last_used_at, (select max(last_used_at) from grants where install_id = i.id))',
  ),
}

// Counts current members with a consent or a live grant of this install, for one page only.
const installed = (where: string, count: string) => `
select ${selected(installedColumns, 'i')}, ${installPlace}
from (
  select i.* from installs i
  join apps a on a.client_id = i.client_id
  join organizations o on o.id = i.organization_id
  where i.organization_id = $1 and i.ended_at is null and ${where}
  order by ${orderByNames} limit ${count}
) i
join apps a on a.client_id = i.client_id
${appJoins}
join organizations o on o.id = i.organization_id
left join users b on b.id = i.installed_by
cross join lateral (
  select count(*)::integer as people
  from members m join users u on u.id = m.user_id and u.disabled_at is null
  where m.organization_id = i.organization_id and (
    exists (select 1 from consents c where c.install_id = i.id and c.user_id = m.user_id)
    or exists (select 1 from grants g where g.install_id = i.id and g.user_id = m.user_id
      and g.ended_at is null and g.app_epoch = a.families_epoch
      and g.user_epoch = u.credentials_epoch
      and g.connection_epoch = coalesce((
        select epoch from connection_epochs where user_id = g.user_id and client_id = g.client_id
           and organization_id = g.organization_id), 0)))
) p
order by ${orderByNames}`

const listQuery = installed(`${nameContains(2)} and ${afterInstall(3)}`, '$4::integer + 1')
const findQuery = installed('i.client_id = $2', '1')

const installedOf = ({
  app,
  installedBy,
  people,
  lastUsed,
  ...install
}: InstalledRow): InstalledApp => ({
  app,
  install,
  installedBy,
  people,
  lastUsed,
})

export const createOrganizationAppStore = (database: Database): OrganizationAppStore => ({
  list: async (organizationId, search) => {
    const { rows } = await database.query<InstalledRow & { place: string }>(
      listQuery,
      [organizationId, search.name, installIdOf(search), search.limit],
      'installed_apps',
    )
    const { items, next } = toPage(rows, search)
    return { items: items.map(installedOf), next }
  },
  find: async (organizationId, clientId) => {
    const values = [organizationId, clientId]
    const { rows } = await database.query<InstalledRow>(findQuery, values, 'installed_app')
    return rows[0] ? installedOf(rows[0]) : null
  },
  knows: async (organizationId, clientId) => {
    const { count } = await database.query(
      `select 1 from installs where organization_id = $1 and client_id = $2
       union all
       select 1 from install_requests where organization_id = $1 and client_id = $2 limit 1`,
      [organizationId, clientId],
    )
    return count > 0
  },
})
