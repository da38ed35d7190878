import type { AppSecretStore } from '../../../core/clients/app-secrets.ts'
import type { ClientType } from '../../../core/clients/client-type.ts'
import type { ForeignSecretStore } from '../../../core/clients/foreign-secrets.ts'
import type { Secret } from '../../../core/credentials/secrets.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import {
  appSecretTable,
  insertSecret,
  isActive,
  retireSecrets,
  secretColumns,
} from '../credentials/secrets.ts'
import { isOwner } from './app-owners.ts'

const lockApp = 'select client_type from apps where client_id = $1 for no key update'
const endApp = 'update apps set families_epoch = families_epoch + 1 where client_id = $1'

export const createAppSecretStore = (database: Database): AppSecretStore => ({
  add: database.inTransaction(
    async (tx, clientId, secret, { retireOthersAfter, endTokens }, admit, ownerId) => {
      // Rotations of one app run one after the other; each sees the secrets that earlier ones left.
      const row = await tx.row<{ client_type: ClientType }>(lockApp, [clientId])
      if (!row) return null
      // A statement of its own: one that waited for the lock would check the owners of before.
      if (ownerId !== null && !(await isOwner(tx, clientId, ownerId))) return null
      const newest = await tx.value<string>(
        `select id from app_secrets where client_id = $1 and ${isActive}
          order by created_at desc, id desc limit 1`,
        [clientId],
      )
      const othersActive = await retireSecrets(tx, appSecretTable, clientId, retireOthersAfter)
      // In the same transaction: at no moment is there a new secret and a live token of the old one.
      if (endTokens) await tx.query(endApp, [clientId])
      const events = admit({ clientType: row.client_type, newest, othersActive })
      const added = await insertSecret(tx, appSecretTable, clientId, secret)
      await insertAuditEvents(tx, events)
      return added
    },
  ),

  list: async (clientId, page) => {
    if (!(await database.affects('select client_id from apps where client_id = $1', [clientId])))
      return null
    return listRows<Secret>(
      database,
      page,
      { columns: secretColumns, table: 'app_secrets', where: `client_id = ? and ${isActive}` },
      [clientId],
    )
  },

  remove: database.inTransaction(async (tx, clientId, id, admit, ownerId) => {
    // Of two deletions at once, the second sees that its secret is the last one.
    if (!(await tx.affects(lockApp, [clientId]))) return 'app'
    if (ownerId !== null && !(await isOwner(tx, clientId, ownerId))) return 'app'
    const row = await tx.row<Secret>(
      `delete from app_secrets where id = $2 and client_id = $1 and ${isActive}
         returning ${secretColumns}`,
      [clientId, id],
    )
    if (!row) return 'secret'
    const others = await tx.count(`app_secrets where client_id = $1 and ${isActive}`, [clientId])
    await insertAuditEvents(tx, admit(row, others))
    return null
  }),
})

export const createForeignSecretStore = (database: Database): ForeignSecretStore => ({
  renew: (secretId, from, { digest, digestKeyId, hint }) =>
    database.run(
      `update app_secrets set digest = $3, digest_key_id = $4, hint = $5, foreign_hash = null
        where id = $1 and foreign_hash = $2`,
      [secretId, from, digest, digestKeyId, hint],
    ),
})
