import type { ClientHost, ClientHostStore } from '../../../core/client-documents/client-hosts.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Columns, column, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn } from '../connection/paging.ts'
import { putOnly } from '../connection/put-row.ts'

const hostColumns: Columns<ClientHost> = {
  host: column,
  policy: column,
  createdAt: column,
  updatedAt: column,
}
const columns = selected(hostColumns)

const find = (on: Queryable, host: string, lock: '' | 'for no key update' = '') =>
  on.row<ClientHost>(`select ${columns} from client_hosts where host = $1 ${lock}`, [host])

export const createClientHostStore = (database: Database): ClientHostStore => ({
  put: (host, policy, decide) =>
    database.transaction((tx) =>
      putOnly<ClientHost>({
        find: () => find(tx, host, 'for no key update'),
        insert: async () => {
          const events = decide(null)
          const row = await tx.row<ClientHost>(
            `insert into client_hosts (host, policy) values ($1, $2)
             on conflict do nothing returning ${columns}`,
            [host, policy],
          )
          if (row) await insertAuditEvents(tx, events)
          return row ?? null
        },
        change: async (current) => {
          const events = decide(current)
          if (events.length === 0) return current
          const row = await tx.row<ClientHost>(
            `update client_hosts set policy = $2, updated_at = now() where host = $1
             returning ${columns}`,
            [host, policy],
          )
          await insertAuditEvents(tx, events)
          return row!
        },
      }),
    ),

  byHost: (host) => find(database, host),

  list: (page) =>
    database.page<ClientHost>(
      page,
      `select ${columns}, ${placeColumn('host')} from client_hosts
       where ${afterPlace('host')} ${orderAndLimit('host')}`,
      pageValues(page),
    ),

  remove: (host, admit) =>
    database.transaction(async (tx) => {
      const row = await tx.row<ClientHost>(
        `delete from client_hosts where host = $1 returning ${columns}`,
        [host],
      )
      if (!row) return false
      await insertAuditEvents(tx, admit(row))
      return true
    }),
})
