import type { Passkey, PasskeyStore } from '../../../core/people/passkeys.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { type Database, onUniqueViolation } from '../connection/database.ts'
import { endSessions } from './sessions.ts'

interface CredentialRow {
  id: string
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: string
  transports: string[]
}

export const createPasskeyStore = (database: Database): PasskeyStore => ({
  list: (userId) =>
    database.rows<Passkey & Pick<CredentialRow, 'credentialId' | 'transports'>>(
      `select id, name, created_at as "createdAt", last_used_at as "lastUsed",
         credential_id as "credentialId", transports
         from passkeys where user_id = $1 order by created_at, id`,
      [userId],
    ),

  insert: (passkey, most, event) =>
    database
      .transaction(async (tx) => {
        // Locks the user, so that concurrent inserts count correctly.
        await tx.query('select from users where id = $1 for no key update', [passkey.userId])
        return changeRows(
          tx,
          `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
           select $1, $2, $3, $4::bytea, $5::bigint, $6::text[], $7
            where (select count(*) from passkeys where user_id = $2) < $8::integer`,
          [
            passkey.id,
            passkey.userId,
            passkey.credentialId,
            Buffer.from(passkey.publicKey),
            passkey.counter,
            passkey.transports,
            passkey.name,
            most,
          ],
          [event],
        )
      })
      .catch(onUniqueViolation(false)),

  byCredential: async (credentialId) => {
    const rows = await database.rows<CredentialRow>(
      `select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
         counter, transports
         from passkeys where credential_id = $1`,
      [credentialId],
    )
    const row = rows[0]
    return row
      ? { ...row, publicKey: new Uint8Array(row.publicKey), counter: Number(row.counter) }
      : null
  },

  // Authenticators without a counter always report 0.
  used: (credentialId, counter) =>
    database.affects(
      `update passkeys set counter = $2::bigint, last_used_at = now()
        where credential_id = $1 and (counter < $2::bigint or (counter = 0 and $2::bigint = 0))`,
      [credentialId, counter],
    ),

  rename: (userId, id, name, event) =>
    database.transaction((tx) =>
      changeRows(
        tx,
        'update passkeys set name = $3 where user_id = $1 and id = $2',
        [userId, id, name],
        [event],
      ),
    ),

  // The passkey is deleted first: a session that is being made with it either exists by then, or is not made.
  remove: (userId, id, keep, event, ended) =>
    database.transaction(async (tx) => {
      const { count } = await tx.query('delete from passkeys where user_id = $1 and id = $2', [
        userId,
        id,
      ])
      if (count === 0) return false
      await insertAuditEvents(tx, [event])
      await tx.query(
        `update sessions set passkey_ids = array_remove(passkey_ids, $3),
           methods = case when cardinality(passkey_ids) > 1 then methods
                          else array_remove(methods, 'passkey') end
          where user_id = $1 and id = $2 and passkey_ids @> array[$3]
            and (cardinality(passkey_ids) > 1 or methods && array['password', 'oidc'])`,
        [userId, keep, id],
      )
      await endSessions(
        tx,
        'delete from sessions where user_id = $1 and passkey_ids @> array[$2] returning id',
        [userId, id],
        ended,
      )
      return true
    }),
})
