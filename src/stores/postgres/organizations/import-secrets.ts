import type { ImportedSecretStore } from '../../../core/organizations/import-secrets.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { isIdIn } from '../connection/lists.ts'
import { judgeValues } from '../credentials/applied-values.ts'
import {
  appSecretTable,
  insertSecret,
  isActive,
  keySetSecretTable,
  retireSecrets,
} from '../credentials/secrets.ts'

type Judge = ImportedSecretStore['judge']

const tables = { app_secrets: appSecretTable, key_set_secrets: keySetSecretTable }
const locks = {
  app_secrets: 'select from apps where client_id = $1 for no key update',
  key_set_secrets: 'select from key_sets where id = $1 for no key update',
}

/** The name of the only active secret. Several were never made by an import. */
const presentOf = async (tx: Queryable, owner: Parameters<Judge>[1]) => {
  const { table, owner: column } = tables[owner.table]
  const ids = await tx.values<string>(
    `select id from ${table} where ${column} = $1 and ${isActive} order by id limit 2`,
    [owner.id],
  )
  return ids.length === 0 ? null : ids.join(' ')
}

const judge = async (tx: Queryable, ...[value, owner]: Parameters<Judge>) => {
  const present = await presentOf(tx, owner)
  const [verdict = 'refused' as const] = await judgeValues(tx, [{ ...value, present }])
  return verdict
}

export const createImportedSecretStore = (database: Database): ImportedSecretStore => ({
  isTaken: (clientId) => isIdIn(database, clientId, 'apps', 'users', 'resource_servers'),
  judge: (value, owner) => judge(database, value, owner),
  replace: database.inTransaction(async (tx, owner, secret, event) => {
    await tx.query(locks[owner.table], [owner.id])
    const verdict = await judge(tx, secret.applied, owner)
    if (verdict !== 'applies') return verdict
    await retireSecrets(tx, tables[owner.table], owner.id, 0)
    await insertSecret(tx, tables[owner.table], owner.id, secret, secret.sealed)
    await insertAuditEvents(tx, [event])
    return verdict
  }),
})
