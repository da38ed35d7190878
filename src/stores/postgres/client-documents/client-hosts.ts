import type { ClientHost, ClientHostStore } from '../../../core/client-documents/client-hosts.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { findRow, listByCreation } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'

const hostColumns: Columns<ClientHost> = plain('host', 'policy', 'createdAt', 'updatedAt')
const columns = selected(hostColumns)
const hosts = { table: 'client_hosts', key: 'host', columns }

export const createClientHostStore = (database: Database): ClientHostStore => ({
  put: (host, policy, decide) =>
    database.transaction((tx) =>
      putOnly<ClientHost>({
        find: () => findRow(tx, hosts, host, 'for no key update'),
        insert: () =>
          changeRow<ClientHost>(
            tx,
            `insert into client_hosts (host, policy) values ($1, $2)
             on conflict do nothing returning ${columns}`,
            [host, policy],
            decide(null),
          ),
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

  byHost: (host) => findRow(database, hosts, host),

  list: (page) => listByCreation<ClientHost>(database, page, hosts),

  remove: (host, admit) => removeRow<ClientHost>(database, hosts, host, admit),
})
