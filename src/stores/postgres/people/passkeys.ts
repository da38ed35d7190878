import type { PasskeyStore } from '../../../core/people/passkeys.ts'
import { changeRows } from '../audit/audit.ts'
import { type Database, onUniqueViolation } from '../connection/database.ts'
import { endSessions } from './sessions.ts'

type Found = NonNullable<Awaited<ReturnType<PasskeyStore['byCredential']>>>

/** A bigint is text. */
type CredentialRow = Omit<Found, 'publicKey' | 'counter'> & { publicKey: Buffer; counter: string }

export const createPasskeyStore = (database: Database): PasskeyStore => ({
  list: (userId) =>
    database.rows(
      `select id, name, created_at as "createdAt", last_used_at as "lastUsed",
         credential_id as "credentialId", transports
         from passkeys where user_id = $1 order by created_at, id`,
      [userId],
    ),

  insert: ({ id, userId, credentialId, publicKey, counter, transports, name }, most, event) =>
    database
      .transaction(async (tx) => {
        // Locks the user, so that concurrent inserts count correctly.
        await tx.query('select from users where id = $1 for no key update', [userId])
        return changeRows(
          tx,
          `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
           select $1, $2, $3, $4::bytea, $5::bigint, $6::text[], $7
            where (select count(*) from passkeys where user_id = $2) < $8::integer`,
          [id, userId, credentialId, Buffer.from(publicKey), counter, transports, name, most],
          [event],
        )
      })
      .catch(onUniqueViolation(false)),

  byCredential: async (credentialId) => {
    const row = await database.row<CredentialRow>(
      `select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
         counter, transports
         from passkeys where credential_id = $1`,
      [credentialId],
    )
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

  rename: ({ userId, id, name, event }) =>
    changeRows(
      database,
      'update passkeys set name = $3 where user_id = $1 and id = $2',
      [userId, id, name],
      [event],
    ),

  // The passkey is deleted first: a session that is being made with it either exists by then, or is not made.
  remove: database.inTransaction(async (tx, { userId, id, keep, event, ended }) => {
    const text = 'delete from passkeys where user_id = $1 and id = $2'
    if (!(await changeRows(tx, text, [userId, id], [event]))) return false
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
