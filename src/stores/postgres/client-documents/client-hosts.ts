import type { ClientHost, ClientHostStore } from '../../../core/client-documents/client-hosts.ts'
import { changeRow, insertAuditEvents, removeRow } from '../audit/audit.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listByCreation } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'

const hostColumns: Columns<ClientHost> = plain('host', 'policy', 'createdAt', 'updatedAt')
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
          return (await changeRow<ClientHost>(
            tx,
            `update client_hosts set policy = $2, updated_at = now() where host = $1
             returning ${columns}`,
            [host, policy],
            events,
          ))!
        },
      }),
    ),

  byHost: (host) => find(database, host),

  list: (page) =>
    listByCreation<ClientHost>(database, page, { columns, table: 'client_hosts', key: 'host' }),

  remove: (host, admit) =>
    removeRow<ClientHost>(
      database,
      `delete from client_hosts where host = $1 returning ${columns}`,
      [host],
      admit,
    ),
})
