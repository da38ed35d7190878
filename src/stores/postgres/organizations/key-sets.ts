import type { Interface } from '../../../core/language/permissions.ts'
import type {
  KeySetSecret,
  KeySetStore,
  StoredKeySet,
} from '../../../core/organizations/key-sets.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { organizationExists } from '../connection/organization-exists.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'
import {
  insertSecret,
  isActive,
  keySetSecretTable,
  retireSecrets,
  type SecretRow,
  secretColumns,
  toSecret,
} from '../credentials/secrets.ts'
import { lockOrganization } from './organizations.ts'
import { ownWorkspaces } from './workspaces.ts'

interface KeySetRow {
  id: string
  client_id: string
  organization_id: string
  interface: Interface
  name: string
  description: string | null
  permissions: string[]
  workspace_ids: string[] | null
  created_by: string | null
  created_at: Date
  updated_at: Date
}

const columns = `id, client_id, organization_id, interface, name, description, permissions,
  workspace_ids, created_by, created_at, updated_at`

const toKeySet = (row: KeySetRow, secrets: KeySetSecret[]): StoredKeySet => ({
  id: row.id,
  clientId: row.client_id,
  organizationId: row.organization_id,
  interface: row.interface,
  name: row.name,
  description: row.description,
  permissions: row.permissions,
  workspaceIds: row.workspace_ids,
  secrets,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** The active secrets of these key sets, by key set. */
const secretsOf = async (on: Queryable, ids: readonly string[]) => {
  const { rows } = await on.query<
    SecretRow & { key_set_id: string; endless_token_seen_at: Date | null }
  >(
    `select key_set_id, ${secretColumns}, endless_token_seen_at from key_set_secrets
     where key_set_id = any($1) and ${isActive} order by created_at, id`,
    [ids],
  )
  const secrets = new Map<string, KeySetSecret[]>(ids.map((id) => [id, []]))
  for (const row of rows)
    secrets
      .get(row.key_set_id)
      ?.push({ ...toSecret(row), endlessTokenSeenAt: row.endless_token_seen_at })
  return secrets
}

const find = async (
  on: Queryable,
  organizationId: string,
  id: string,
  lock: '' | 'for no key update' = '',
) => {
  const { rows } = await on.query<KeySetRow>(
    `select ${columns} from key_sets where id = $1 and organization_id = $2 ${lock}`,
    [id, organizationId],
  )
  if (!rows[0]) return null
  const secrets = await secretsOf(on, [id])
  return toKeySet(rows[0], secrets.get(id) ?? [])
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
      const { rows } = await tx.query<KeySetRow>(
        `insert into key_sets (id, client_id, organization_id, interface, name, description,
           permissions, workspace_ids, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         returning ${columns}`,
        [
          keySet.id,
          keySet.clientId,
          keySet.organizationId,
          keySet.interface,
          keySet.name,
          keySet.description,
          keySet.permissions,
          keySet.workspaceIds,
          keySet.createdBy,
        ],
      )
      const added = await insertSecret(tx, keySetSecretTable, keySet.id, secret, secret.sealed)
      await insertAuditEvents(tx, events)
      return toKeySet(rows[0]!, [{ ...added, endlessTokenSeenAt: null }])
    }),

  find: (organizationId, id) => find(database, organizationId, id),

  list: async (organizationId, page) => {
    if (!(await organizationExists(database, organizationId))) return null
    const { rows } = await database.query<KeySetRow & { place: string }>(
      `select ${columns}, ${placeColumn('id')} from key_sets
       where ${afterPlace('id')} and organization_id = $4 ${orderAndLimit('id')}`,
      [...pageValues(page), organizationId],
    )
    const secrets = await secretsOf(
      database,
      rows.map((row) => row.id),
    )
    return toPage(rows, page, (row) => toKeySet(row, secrets.get(row.id) ?? []))
  },

  change: (organizationId, id, asked, decide) =>
    database.transaction(async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) return null
      const current = await find(tx, organizationId, id, 'for no key update')
      if (!current) return null
      const { values, events } = decide(current, await ownWorkspaces(tx, organizationId, asked))
      if (events.length === 0) return current
      await permissionsOfCatalogue(tx, values.interface, values.permissions)
      const { rows } = await tx.query<KeySetRow>(
        `update key_sets set name = $2, description = $3, permissions = $4, workspace_ids = $5,
           updated_at = now()
         where id = $1 returning ${columns}`,
        [id, values.name, values.description, values.permissions, values.workspaceIds],
      )
      await insertAuditEvents(tx, events)
      return toKeySet(rows[0]!, current.secrets)
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
      const { count } = await tx.query(
        `update key_set_secrets set expires_at = clock_timestamp()
         where id = $2 and key_set_id = $1 and ${isActive}`,
        [id, secretId],
      )
      if (count > 0) await insertAuditEvents(tx, eventsOf(current.clientId))
      return count > 0
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
