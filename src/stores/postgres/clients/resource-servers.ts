import type {
  Asker,
  ResourceServer,
  ResourceServerSettings,
  ResourceServerStore,
  SettingsRefusal,
} from '../../../core/clients/resource-servers.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'

interface LimitRow {
  resource: string[] | null
  permissions: string[] | null
  organization_ids: string[] | null
}

interface ResourceServerRow extends LimitRow {
  client_id: string
  name: string
  hint: string
  created_at: Date
}

const columns = 'client_id, name, hint, resource, permissions, organization_ids, created_at'

const limitsOf = (row: LimitRow) => ({
  resource: row.resource,
  permissions: row.permissions,
  organizationIds: row.organization_ids,
})

const toResourceServer = (row: ResourceServerRow): ResourceServer => ({
  clientId: row.client_id,
  name: row.name,
  ...limitsOf(row),
  hint: row.hint,
  createdAt: row.created_at,
})

/** The limits of the resource server `r`, for `toAsker`. They have names that other columns do not have. */
export const askerColumns = `r.digest as asker_digest, r.resource as asker_resource,
  r.permissions as asker_permissions, r.organization_ids as asker_organization_ids`

export interface AskerRow {
  asker_digest: HexBytes | null
  asker_resource: string[] | null
  asker_permissions: string[] | null
  asker_organization_ids: string[] | null
}

export const toAsker = (row: AskerRow): Asker | null =>
  row.asker_digest === null
    ? null
    : {
        digest: bytesOf(row.asker_digest),
        resource: row.asker_resource,
        permissions: row.asker_permissions,
        organizationIds: row.asker_organization_ids,
      }

/** Why these settings cannot be stored. Changes run one after the other, so that a URI has one resource server. */
const refusalOf = async (
  tx: Queryable,
  clientId: string,
  { resource, organizationIds }: ResourceServerSettings,
): Promise<SettingsRefusal | null> => {
  await tx.query(`select pg_advisory_xact_lock(hashtext('latchkey'), hashtext('resource_servers'))`)
  const { rows } = await tx.query<{ taken: boolean; found: number }>(
    `select exists (select 1 from resource_servers where resource && $2 and client_id <> $1) as taken,
            (select count(*)::integer from organizations where id = any($3::text[])) as found`,
    [clientId, resource ?? [], organizationIds ?? []],
  )
  if (rows[0]?.found !== (organizationIds?.length ?? 0)) return 'unknown_organization'
  return rows[0]?.taken ? 'resource_taken' : null
}

const insertServer = async (
  tx: Queryable,
  [server, events]: Parameters<ResourceServerStore['insert']>,
) => {
  const refusal = await refusalOf(tx, server.clientId, server)
  if (refusal) return refusal
  const { rows } = await tx.query<ResourceServerRow>(
    `insert into resource_servers
       (client_id, name, resource, permissions, organization_ids, digest, digest_key_id, hint)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning ${columns}`,
    [
      server.clientId,
      server.name,
      server.resource,
      server.permissions,
      server.organizationIds,
      server.digest,
      server.digestKeyId,
      server.hint,
    ],
  )
  await insertAuditEvents(tx, events)
  return toResourceServer(rows[0]!)
}

const find = async (on: Queryable, clientId: string, lock: '' | 'for no key update' = '') => {
  const { rows } = await on.query<ResourceServerRow>(
    `select ${columns} from resource_servers where client_id = $1 ${lock}`,
    [clientId],
  )
  return rows[0] ? toResourceServer(rows[0]) : null
}

const changeServer = async (
  tx: Queryable,
  [clientId, decide]: Parameters<ResourceServerStore['change']>,
) => {
  const current = await find(tx, clientId, 'for no key update')
  if (!current) return null
  const { values, events } = decide(current)
  if (events.length === 0) return current
  const refusal = await refusalOf(tx, clientId, values)
  if (refusal) return refusal
  const { rows } = await tx.query<ResourceServerRow>(
    `update resource_servers set name = $2, resource = $3, permissions = $4, organization_ids = $5
      where client_id = $1 returning ${columns}`,
    [clientId, values.name, values.resource, values.permissions, values.organizationIds],
  )
  await insertAuditEvents(tx, events)
  return toResourceServer(rows[0]!)
}

export const createResourceServerStore = (database: Database): ResourceServerStore => {
  const readAsker = batchedRead<AskerRow>(database, {
    name: 'resource_server_asker',
    query: `select ${askerColumns} from resource_servers r where r.client_id = $1`,
    types: ['text'],
  })
  return {
    insert: (...given) => database.transaction((tx) => insertServer(tx, given)),

    askerOf: async (clientId) => {
      const row = await readAsker([clientId])
      return row && toAsker(row)
    },

    byId: (clientId) => find(database, clientId),

    change: (...given) => database.transaction((tx) => changeServer(tx, given)),

    list: async (page) => {
      const { rows } = await database.query<ResourceServerRow & { place: string }>(
        `select ${columns}, ${placeColumn('client_id')} from resource_servers
         where ${afterPlace('client_id')} ${orderAndLimit('client_id')}`,
        pageValues(page),
      )
      return toPage(rows, page, toResourceServer)
    },

    remove: (clientId, admit) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<ResourceServerRow>(
          `delete from resource_servers where client_id = $1 returning ${columns}`,
          [clientId],
        )
        if (!rows[0]) return false
        await insertAuditEvents(tx, admit(toResourceServer(rows[0])))
        return true
      }),
  }
}
