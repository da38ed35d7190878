import type { Directory, DirectoryEntry } from '../../../core/organizations/directory.ts'
import { type AppRow, appColumn, appJoins, appJson } from '../clients/app-columns.ts'
import { computed, nested, selected, since } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { listIds } from '../connection/lists.ts'
import { foundNearby } from '../connection/search-sources.ts'

const isListed = 'a.listed and a.disabled_at is null'
const byName = 'lower(a.name), a.client_id'

const listed = {
  ...{ columns: 'a.client_id', table: 'apps a', key: 'a.client_id', created: 'a.created_at' },
  ...{ where: isListed, orders: { name: 'lower(a.name)' }, order: 'name' },
  search: foundNearby('app', 'a.client_id', 'a.name'),
}

/** Those with the ids in $3, in their order. */
const entriesQuery = `
select ${selected<DirectoryEntry>({
  app: computed(appJson),
  install: nested({ suspended: since('suspended_at') }, 'i', 'id'),
  isRequested: computed(`exists (
    select 1 from install_requests
     where organization_id = $1 and client_id = a.client_id and user_id = $2 and decided_at is null)`),
})}
from apps a
${appJoins}
left join installs i on i.organization_id = $1 and i.client_id = a.client_id and i.ended_at is null
  and not i.self
where a.client_id = any($3) order by array_position($3::text[], a.client_id)`

export const createDirectoryStore = (database: Database): Directory => ({
  list: async (organizationId, userId, page) => {
    const { ids, next } = await listIds(database, page, listed)
    const values = [organizationId, userId, ids]
    return { items: await database.rows<DirectoryEntry>(entriesQuery, values, 'directory'), next }
  },
  find: async (clientId) =>
    (
      await database.row<AppRow>(
        `select ${appColumn} from apps a ${appJoins} where a.client_id = $1 and ${isListed}`,
        [clientId],
        'listed_app',
      )
    )?.app ?? null,
  // The order selects the index of listed apps.
  isEmpty: async () =>
    !(await database.affects(`select 1 from apps a where ${isListed} order by ${byName} limit 1`)),
})
