import type { ResourceLimits } from '../../../core/clients/resource-limits.ts'
import type {
  ResourceServer,
  ResourceServerCredentials,
  ResourceServerSettings,
  ResourceServerStore,
  SettingsRefusal,
} from '../../../core/clients/resource-servers.ts'
import type { ResourceRivals } from '../../../core/clients/resources.ts'
import type { NamedServer, TargetStore } from '../../../core/clients/targets.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import {
  type Columns,
  column,
  insertInto,
  nested,
  plain,
  selected,
  updateRow,
} from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, type List, listRows } from '../connection/lists.ts'
import { isTaken } from './apps.ts'

const limits: Columns<ResourceLimits> = plain('resource', 'permissions', 'organizationIds')
const settings: Columns<ResourceServerSettings> = { name: column, ...limits }
const given = { clientId: column, ...settings, hint: column }
const columns = selected<ResourceServer>({ ...given, createdAt: column })
const servers: List = {
  ...{ table: 'resource_servers', key: 'client_id', columns },
  orders: { name: 'lower(name)' },
  finds: 'resource_server',
}
const insertResourceServer = insertInto<Parameters<ResourceServerStore['insert']>[0]>(
  'resource_servers',
  { ...given, ...plain('digest', 'digestKeyId') },
  `on conflict do nothing returning ${columns}`,
)
const changeSettings = updateRow(servers, settings)
const namedServer = selected<NamedServer>(settings)

/** The digest and the limits of a resource server. */
type StoredCredentials = ResourceLimits & { digest: HexBytes }
const storedCredentials: Columns<StoredCredentials> = { digest: column, ...limits }

export interface CredentialsRow {
  resourceServer: StoredCredentials | null
}

/** The resource server `r`, for `toCredentials`; null: there is none. */
export const credentialsColumn = selected<CredentialsRow>({
  resourceServer: nested(storedCredentials, 'r', 'client_id'),
})

export const toCredentials = ({
  resourceServer,
}: CredentialsRow): ResourceServerCredentials | null =>
  resourceServer && { ...resourceServer, digest: bytesOf(resourceServer.digest) }

/** Rows that may have a resource with one of these stems. They keep the text that was registered. */
export const mayHave = (stems: string) =>
  `exists (select from unnest(${stems}::text[]) stem
            where strpos(lower(array_to_string(resource, ' ') collate "C"), stem) > 0)`

/** Why these settings cannot be stored. Changes run one after the other, so that a resource has one resource server. */
const refusalOf = async (
  tx: Queryable,
  clientId: string,
  { organizationIds }: ResourceServerSettings,
  rivals: ResourceRivals,
): Promise<SettingsRefusal | null> => {
  await tx.query(`select pg_advisory_xact_lock(hashtext('latchkey'), hashtext('resource_servers'))`)
  const row = await tx.one<{ others: string[]; found: number }>(
    `select array(select unnest(resource) from resource_servers
                   where client_id <> $1 and ${mayHave('$2')}) as others,
            (select count(*)::integer from organizations where id = any($3::text[])) as found`,
    [clientId, rivals.stems, organizationIds ?? []],
  )
  if (row.found !== (organizationIds?.length ?? 0)) return 'unknown_organization'
  return rivals.areTaken(row.others) ? 'resource_taken' : null
}

export const createResourceServerStore = (
  database: Database,
): ResourceServerStore & TargetStore => {
  const readCredentials = batchedRead<CredentialsRow>(
    database,
    `select ${credentialsColumn} from resource_servers r where r.client_id = $1`,
    ['text'],
    'resource_server_credentials',
  )
  return {
    insert: database.inTransaction(async (tx, server, rivals, events) => {
      const refusal = await refusalOf(tx, server.clientId, server, rivals)
      if (refusal || (await isTaken(tx, server.clientId, 'apps'))) return refusal ?? 'id_taken'
      const change = insertResourceServer(server)
      return (await changeRow<ResourceServer>(tx, ...change, events)) ?? 'id_taken'
    }),

    credentialsOf: async (clientId) => {
      const row = await readCredentials([clientId])
      return row && toCredentials(row)
    },

    withResource: (stems) =>
      database.rows(
        `select ${namedServer} from resource_servers where ${mayHave('$1')} order by created_at`,
        [stems],
        'servers_with_resource',
      ),

    byId: (clientId) => findRow(database, servers, clientId),

    change: database.inTransaction(async (tx, clientId, decide) => {
      const current = await findRow<ResourceServer>(tx, servers, clientId, 'for no key update')
      if (!current) return null
      const { values, events, rivals } = decide(current)
      if (events.length === 0) return current
      const refusal = await refusalOf(tx, clientId, values, rivals)
      const change = changeSettings(clientId, values)
      return refusal ?? (await changeRow<ResourceServer>(tx, ...change, events))!
    }),

    list: (page) => listRows<ResourceServer>(database, page, servers),

    remove: (clientId, admit) => removeRow(database, servers, clientId, admit),
  }
}
