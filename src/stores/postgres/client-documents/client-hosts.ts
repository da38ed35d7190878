import type { ClientHost, ClientHostStore } from '../../../core/client-documents/client-hosts.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Columns, column, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'
import { putOnly } from '../connection/put-row.ts'

const hostColumns: Columns<ClientHost> = {
  host: column,
  policy: column,
  createdAt: column,
  updatedAt: column,
}
const columns = selected(hostColumns)

const find = async (on: Queryable, host: string, lock: '' | 'for no key update' = '') => {
  const { rows } = await on.query<ClientHost>(
    `select ${columns} from client_hosts where host = $1 ${lock}`,
    [host],
  )
  return rows[0] ?? null
}

export const createClientHostStore = (database: Database): ClientHostStore => ({
  put: (host, policy, decide) =>
    database.transaction((tx) =>
      putOnly<ClientHost>({
        find: () => find(tx, host, 'for no key update'),
        insert: async () => {
          const events = decide(null)
          const { rows } = await tx.query<ClientHost>(
            `insert into client_hosts (host, policy) values ($1, $2)
             on conflict do nothing returning ${columns}`,
            [host, policy],
          )
          if (rows[0]) await insertAuditEvents(tx, events)
          return rows[0] ?? null
        },
        change: async (current) => {
          const events = decide(current)
          if (events.length === 0) return current
          const { rows } = await tx.query<ClientHost>(
            `update client_hosts set policy = $2, updated_at = now() where host = $1
             returning ${columns}`,
            [host, policy],
          )
          await insertAuditEvents(tx, events)
          return rows[0]!
        },
      }),
    ),

  byHost: (host) => find(database, host),

  list: async (page) => {
    const { rows } = await database.query<ClientHost & { place: string }>(
      `select ${columns}, ${placeColumn('host')} from client_hosts
       where ${afterPlace('host')} ${orderAndLimit('host')}`,
      pageValues(page),
    )
    return toPage(rows, page)
  },

  remove: (host, admit) =>
    database.transaction(async (tx) => {
      const { rows } = await tx.query<ClientHost>(
        `delete from client_hosts where host = $1 returning ${columns}`,
        [host],
      )
      if (!rows[0]) return false
      await insertAuditEvents(tx, admit(rows[0]))
      return true
    }),
})
