import type { OwnPermissionStore, PermissionUses } from '../../../core/clients/own-permissions.ts'
import type { OwnPermission, StoredPermission } from '../../../core/clients/permission-catalogue.ts'
import { faultAt } from '../../../core/language/faults.ts'
import { type Interface, vocabulary } from '../../../core/language/permissions.ts'
import { Invalid } from '../../../core/language/service-errors.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { InJson } from '../connection/batched-reads.ts'
import { excluded, insertInto, json, named, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'

const words = { sentence: json, group: named('heading'), ...plain('mark', 'readPermission') }
const given = { ...plain('interface', 'name'), ...words }
const columns = selected<StoredPermission>({ ...given, ...plain('createdAt', 'updatedAt') })
const putPermission = insertInto<OwnPermission>(
  'permissions',
  given,
  `on conflict (interface, name) do update set ${excluded(words)}, updated_at = now()
   returning ${columns}`,
)

/** Times in JSON are text. */
const withTimes = (row: InJson<StoredPermission>): StoredPermission => ({
  ...row,
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
})

/** As in the migration that makes the indexes of permissions in use: the planner compares the two. */
const builtIn = `'{${[...vocabulary.legacy, ...vocabulary.current].join(',')}}'::text[]`
const uses = (table: string) =>
  `${table}.permissions @> array[$2::text] and not ${table}.permissions <@ ${builtIn}`

const findIn = (tx: Queryable, generation: Interface, name: string, lock: string) =>
  tx.row<StoredPermission>(
    `select ${columns} from permissions where interface = $1 and name = $2 ${lock}`,
    [generation, name],
  )

/** Changes of the catalogue run one after the other. */
const lockCatalogue = (tx: Queryable) =>
  tx.query('select version from permission_catalogue for no key update')

const nextVersion = (tx: Queryable) =>
  tx.query('update permission_catalogue set version = version + 1')

const countUses = (tx: Queryable, generation: Interface, name: string) =>
  tx.one<PermissionUses>(
    `select
       (select count(*)::integer from apps where interface = $1 and ${uses('apps')}) as apps,
       (select count(*)::integer from installs join apps using (client_id)
         where apps.interface = $1 and installs.ended_at is null and ${uses('installs')}) as installs,
       (select count(*)::integer from key_sets where interface = $1 and ${uses('key_sets')}) as "keySets"`,
    [generation, name],
  )

export const createPermissionCatalogueStore = (database: Database): OwnPermissionStore => ({
  readSince: async (known) => {
    const row = await database.row<{ version: string; entries: InJson<StoredPermission>[] | null }>(
      `select version, case when version is distinct from $1::bigint then (
         select coalesce(json_agg(p), '[]') from (select ${columns} from permissions) p
       ) end as entries from permission_catalogue`,
      [known],
      'permission_catalogue',
    )
    if (!row?.entries) return null
    // A transaction that is not committed yet: the next reader reads all of it again.
    const version = database.isJoined() ? null : row.version
    return { version, permissions: row.entries.map(withTimes) }
  },

  put: database.inTransaction(async (tx, permission, decide) => {
    await lockCatalogue(tx)
    const { interface: generation, name } = permission
    const before = await findIn(tx, generation, name, 'for no key update')
    const count = await tx.count('permissions where interface = $1', [generation])
    const events = decide(before, count)
    if (before && events.length === 0) return before
    if (permission.readPermission)
      await tx.query(
        'update permissions set read_permission = false where interface = $1 and read_permission and name <> $2',
        [generation, name],
      )
    const row = await tx.one<StoredPermission>(...putPermission(permission))
    await nextVersion(tx)
    await insertAuditEvents(tx, events)
    return row
  }),

  remove: database.inTransaction(async (tx, generation, name, admit) => {
    await lockCatalogue(tx)
    // Hosts first, as where their rules are written: what writes a ceiling locks the permissions after it.
    const limited = 'client_hosts where $1 = any(ceiling)'
    await tx.query(`select from ${limited} order by host for update`, [name])
    // A transaction that writes a list with this permission holds a share lock on the row until its commit. So the
    // statement that counts sees every such list, and a later writer finds no row.
    const permission = await findIn(tx, generation, name, 'for update')
    if (!permission) return null
    const events = admit(permission)
    const found = await countUses(tx, generation, name)
    if (found.apps + found.installs + found.keySets > 0) return found
    await tx.query('delete from permissions where interface = $1 and name = $2', [generation, name])
    if (generation === 'current')
      await tx.query(
        'update client_hosts set ceiling = array_remove(ceiling, $1), updated_at = now() where $1 = any(ceiling)',
        [name],
      )
    await nextVersion(tx)
    await insertAuditEvents(tx, events)
    return found
  }),
})

/**
 * Locks the platform's own permissions of a list until the end of the transaction, so that they stay in the catalogue
 * while the list is written. A list of built-in permissions needs no lock.
 * @throws Invalid for names that the catalogue lacks
 */
export const permissionsOfCatalogue = async (
  tx: Queryable,
  generation: Interface,
  permissions: readonly string[],
): Promise<void> => {
  const own = permissions.filter((one) => !vocabulary[generation].includes(one))
  if (own.length === 0) return
  // The order of names keeps two lists from waiting for each other.
  const found = await tx.values<string>(
    'select name from permissions where interface = $1 and name = any($2) order by name for key share',
    [generation, own],
  )
  const detail = `has a name that is not a permission of the ${generation} interface`
  if (found.length < new Set(own).size)
    throw new Invalid([faultAt('/permissions', 'unknown_permission', detail)])
}
