import { partsOfPlace } from '../../../core/language/paging.ts'
import type { Directory, DirectoryEntry } from '../../../core/organizations/directory.ts'
import { type AppRow, appColumn, appJoins, appJson } from '../clients/app-columns.ts'
import { computed, nested, selected, since } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { nameContains } from '../connection/paging.ts'

const isListed = 'a.listed and a.disabled_at is null'
const byName = 'lower(a.name), a.client_id'

// Installs and requests are read for one page only.
const listQuery = `
select ${selected<DirectoryEntry>({
  app: computed(appJson),
  install: nested({ suspended: since('suspended_at') }, 'i', 'id'),
  isRequested: computed(`exists (
    select 1 from install_requests
     where organization_id = $1 and client_id = a.client_id and user_id = $2 and decided_at is null)`),
})}, '0.' || a.client_id as place
from (
  select a.* from apps a
  where ${isListed} and ${nameContains(3)} and (
    not exists (select 1 from apps where client_id = $4)
    or (${byName}) > (select lower(name), client_id from apps where client_id = $4))
  order by ${byName} limit $5::integer + 1
) a
${appJoins}
left join installs i on i.organization_id = $1 and i.client_id = a.client_id and i.ended_at is null
  and not i.self
order by ${byName}`

export const createDirectoryStore = (database: Database): Directory => ({
  list: async (organizationId, userId, search) => {
    const [, after = null] = partsOfPlace(search.after) ?? []
    return database.page<DirectoryEntry>(
      search,
      listQuery,
      [organizationId, userId, search.name, after, search.limit],
      'directory',
    )
  },
  find: async (clientId) =>
    (
      await database.row<AppRow>(
        `select ${appColumn} from apps a ${appJoins} where a.client_id = $1 and ${isListed}`,
        [clientId],
        'listed_app',
      )
    )?.app ?? null,
  isEmpty: async () => {
    // The order selects the index of listed apps.
    return !(await database.affects(
      `select 1 from apps a where ${isListed} order by ${byName} limit 1`,
    ))
  },
})
