import type { ResourceServer, ResourceServerStore } from '../../../core/clients/resource-servers.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'

interface ResourceServerRow {
  client_id: string
  name: string
  hint: string
  created_at: Date
}

const columns = 'client_id, name, hint, created_at'

const toResourceServer = (row: ResourceServerRow): ResourceServer => ({
  clientId: row.client_id,
  name: row.name,
  hint: row.hint,
  createdAt: row.created_at,
})

export const createResourceServerStore = (database: Database): ResourceServerStore => {
  const readDigest = batchedRead<{ digest: HexBytes }>(database, {
    name: 'resource_server_digest',
    query: 'select digest from resource_servers where client_id = $1',
    types: ['text'],
  })
  return {
    insert: (server, events) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<ResourceServerRow>(
          `insert into resource_servers (client_id, name, digest, digest_key_id, hint)
           values ($1, $2, $3, $4, $5)
           returning ${columns}`,
          [server.clientId, server.name, server.digest, server.digestKeyId, server.hint],
        )
        await insertAuditEvents(tx, events)
        return toResourceServer(rows[0]!)
      }),

    digestOf: async (clientId) => {
      const row = await readDigest([clientId])
      return row && bytesOf(row.digest)
    },

    byId: async (clientId) => {
      const { rows } = await database.query<ResourceServerRow>(
        `select ${columns} from resource_servers where client_id = $1`,
        [clientId],
      )
      return rows[0] ? toResourceServer(rows[0]) : null
    },

    list: async (page) => {
      const { rows } = await database.query<ResourceServerRow & { place: string }>(
        `select ${columns}, ${placeColumn('client_id')} from resource_servers
         where ${afterPlace('client_id')} ${orderAndLimit('client_id')}`,
        pageValues(page),
      )
      return toPage(rows, page, toResourceServer)
    },

    remove: (clientId, events) =>
      database.transaction(async (tx) => {
        const { count } = await tx.query('delete from resource_servers where client_id = $1', [
          clientId,
        ])
        if (count > 0) await insertAuditEvents(tx, events)
        return count > 0
      }),
  }
}
