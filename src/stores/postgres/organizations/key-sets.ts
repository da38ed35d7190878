import type { KeySet, KeySetSecret, StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySetStore } from '../../../core/organizations/key-sets.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import { type Columns, column, insertInto, json, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'
import {
  columnsOfSecret,
  insertSecret,
  isActive,
  keySetSecretTable,
  retireSecrets,
} from '../credentials/secrets.ts'
import { lockOrganization } from './organizations.ts'
import { ownWorkspaces } from './workspaces.ts'

type KeySetRow = Omit<StoredKeySet, 'secrets'>

export const keySetColumns: Columns<KeySet> = {
  ...plain('id', 'clientId', 'organizationId', 'interface', 'name', 'description', 'permissions'),
  ...plain('workspaceIds'),
  workloads: json,
}

const writtenColumns: Columns<Omit<KeySetRow, 'createdAt' | 'updatedAt'>> = {
  ...keySetColumns,
  createdBy: column,
}
const columns = selected<KeySetRow>({ ...writtenColumns, createdAt: column, updatedAt: column })
const secretColumns = selected<KeySetSecret & { keySetId: string }>({
  ...columnsOfSecret,
  ...plain('keySetId', 'endlessTokenSeenAt'),
})
const insertKeySet = insertInto('key_sets', writtenColumns)

/** These key sets with their active secrets. */
const withSecrets = async (on: Queryable, keySets: readonly KeySetRow[]) => {
  const secrets = new Map(keySets.map(({ id }) => [id, [] as KeySetSecret[]]))
  const rows = await on.rows<KeySetSecret & { keySetId: string }>(
    `select ${secretColumns} from key_set_secrets
     where key_set_id = any($1) and ${isActive} order by created_at, id`,
    [[...secrets.keys()]],
  )
  for (const { keySetId, ...secret } of rows) secrets.get(keySetId)?.push(secret)
  return keySets.map((one) => ({ ...one, secrets: secrets.get(one.id) ?? [] }))
}

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
  return (await withSecrets(on, rows))[0] ?? null
}

export const createKeySetStore = (database: Database): KeySetStore => ({
  insert: (keySet, secret, admit) =>
    database.transaction(async (tx) => {
      // The lock keeps a workspace from being deleted before the key set names it.
      if (!(await lockOrganization(tx, keySet.organizationId))) return null
      const events = admit(
        await ownWorkspaces(tx, keySet.organizationId, keySet.workspaceIds ?? []),
      )
      await permissionsOfCatalogue(tx, keySet.interface, keySet.permissions)
      const row = await tx.row<KeySetRow>(
        `${insertKeySet.text} returning ${columns}`,
        insertKeySet.values(keySet),
      )
      const added = await insertSecret(tx, keySetSecretTable, keySet.id, secret, secret.sealed)
      await insertAuditEvents(tx, events)
      return { ...row!, secrets: [{ ...added, endlessTokenSeenAt: null }] }
    }),

  find: (organizationId, id) => find(database, organizationId, id),

  list: async (organizationId, page) => {
    const list = { columns, table: 'key_sets' }
    const found = await listOfOrganization<KeySetRow>(database, organizationId, page, list)
    return found && { ...found, items: await withSecrets(database, found.items) }
  },

  change: (organizationId, id, requested, decide) =>
    database.transaction(async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) return null
      const current = await find(tx, organizationId, id, 'for no key update')
      if (!current) return null
      const { values, events } = decide(current, await ownWorkspaces(tx, organizationId, requested))
      if (events.length === 0) return current
      await permissionsOfCatalogue(tx, values.interface, values.permissions)
      const row = await tx.row<KeySetRow>(
        `update key_sets set name = $2, description = $3, permissions = $4, workspace_ids = $5,
           workloads = $6, updated_at = now()
         where id = $1 returning ${columns}`,
        [
          id,
          values.name,
          values.description,
          values.permissions,
          values.workspaceIds,
          JSON.stringify(values.workloads),
        ],
      )
      await insertAuditEvents(tx, events)
      return { ...row!, secrets: current.secrets }
    }),

  rotate: (organizationId, id, secretFor, retireOthersAfter, admit) =>
    database.transaction(async (tx) => {
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
    }),

  retire: (organizationId, id, secretId, eventsOf) =>
    database.transaction(async (tx) => {
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

  remove: (organizationId, id, admit) =>
    database.transaction(async (tx) => {
      const current = await find(tx, organizationId, id, 'for no key update')
      if (!current) return false
      const events = admit(current)
      await tx.query('delete from key_sets where id = $1', [id])
      await insertAuditEvents(tx, events)
      return true
    }),
})
