import type { KeySet, KeySetSecret, StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySetStore } from '../../../core/organizations/key-sets.ts'
import { changeRow, changeRows, insertAuditEvents } from '../audit/audit.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import {
  type Columns,
  insertInto,
  json,
  plain,
  selected,
  updateRow,
} from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'
import {
  columnsOfSecret,
  insertSecret,
  isActive,
  keySetSecretTable,
  retireSecrets,
  withSecrets,
} from '../credentials/secrets.ts'
import { lockOrganization } from './organizations.ts'
import { ownWorkspaces } from './workspaces.ts'

type KeySetRow = Omit<StoredKeySet, 'secrets'>

const changeable = {
  ...plain('name', 'description', 'permissions', 'workspaceIds'),
  workloads: json,
}

export const keySetColumns: Columns<KeySet> = {
  ...plain('id', 'clientId', 'organizationId', 'interface'),
  ...changeable,
}

const writtenColumns: Columns<Omit<KeySetRow, 'createdAt' | 'updatedAt'>> = {
  ...keySetColumns,
  ...plain('createdBy'),
}
const columns = selected<KeySetRow>({ ...writtenColumns, ...plain('createdAt', 'updatedAt') })
const secretColumns: Columns<KeySetSecret> = { ...columnsOfSecret, ...plain('endlessTokenSeenAt') }
const insertKeySet = insertInto('key_sets', writtenColumns, `returning ${columns}`)
const changeKeySet = updateRow({ table: 'key_sets', columns }, changeable, 'updated_at = now()')

const complete = (on: Queryable, keySets: readonly KeySetRow[]) =>
  withSecrets(on, keySetSecretTable, secretColumns, keySets)

const find = async (
  on: Queryable,
  organizationId: string,
  id: string,
  lock: '' | 'for no key update' = '',
) => {
  const rows = await on.rows<KeySetRow>(
    `select ${columns} from key_sets where id = $1 and organization_id = $2 ${lock}`,
    [id, organizationId],
  )
  return (await complete(on, rows))[0] ?? null
}

export const createKeySetStore = (database: Database): KeySetStore => ({
  insert: database.inTransaction(async (tx, keySet, secret, admit) => {
    // The lock keeps a workspace from being deleted before the key set names it.
    if (!(await lockOrganization(tx, keySet.organizationId))) return null
    const events = admit(await ownWorkspaces(tx, keySet.organizationId, keySet.workspaceIds ?? []))
    await permissionsOfCatalogue(tx, keySet.interface, keySet.permissions)
    const row = await tx.one<KeySetRow>(...insertKeySet(keySet))
    const added = await insertSecret(tx, keySetSecretTable, keySet.id, secret, secret.sealed)
    await insertAuditEvents(tx, events)
    return { ...row, secrets: [{ ...added, endlessTokenSeenAt: null }] }
  }),

  find: (organizationId, id) => find(database, organizationId, id),

  byClientId: (clientId) =>
    database.row(
      'select id, organization_id as "organizationId" from key_sets where client_id = $1',
      [clientId],
    ),

  list: async (organizationId, page) => {
    const found = await listOfOrganization<KeySetRow>(database, organizationId, page, {
      ...{ columns, table: 'key_sets' },
      orders: { name: 'lower(name)' },
      filters: { interface: 'interface = ?' },
      finds: 'key_set',
    })
    return found && { ...found, items: await complete(database, found.items) }
  },

  change: database.inTransaction(async (tx, organizationId, id, requested, decide) => {
    if (!(await lockOrganization(tx, organizationId))) return null
    const current = await find(tx, organizationId, id, 'for no key update')
    if (!current) return null
    const { values, events } = decide(current, await ownWorkspaces(tx, organizationId, requested))
    if (events.length === 0) return current
    await permissionsOfCatalogue(tx, values.interface, values.permissions)
    const row = await changeRow<KeySetRow>(tx, ...changeKeySet(id, values), events)
    return { ...row!, secrets: current.secrets }
  }),

  rotate: database.inTransaction(
    async (tx, organizationId, id, secretFor, retireOthersAfter, admit) => {
      // Rotations of one key set run one after the other; each sees the secrets that earlier ones left.
      const current = await find(tx, organizationId, id, 'for no key update')
      if (!current) return null
      const othersActive = await retireSecrets(tx, keySetSecretTable, id, retireOthersAfter)
      const events = admit(current, othersActive)
      const secret = secretFor(current.interface)
      await insertSecret(tx, keySetSecretTable, id, secret, secret.sealed)
      await tx.query('update key_sets set updated_at = now() where id = $1', [id])
      await insertAuditEvents(tx, events)
      return find(tx, organizationId, id)
    },
  ),

  retire: database.inTransaction(async (tx, organizationId, id, secretId, eventsOf) => {
    const current = await find(tx, organizationId, id, 'for no key update')
    if (!current) return false
    return changeRows(
      tx,
      `update key_set_secrets set expires_at = clock_timestamp()
         where id = $2 and key_set_id = $1 and ${isActive}`,
      [id, secretId],
      eventsOf(current.clientId),
    )
  }),

  remove: database.inTransaction(async (tx, { organizationId, id }, admit) => {
    const current = await find(tx, organizationId, id, 'for no key update')
    if (!current) return false
    return changeRows(tx, 'delete from key_sets where id = $1', [id], admit(current))
  }),
})
