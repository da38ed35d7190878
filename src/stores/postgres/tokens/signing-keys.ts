import type {
  NewSigningKey,
  SigningKeyStore,
  StoredSigningKey,
} from '../../../core/tokens/signing-keys.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database, Queryable } from '../connection/database.ts'

interface Row {
  kid: string
  alg: 'ES256'
  public_jwk: Record<string, unknown>
  sealed_private_key: Buffer
  status: StoredSigningKey['status']
  created_at: Date
  activated_at: Date | null
  retired_at: Date | null
  in_force: boolean
}

/** @param at time as text: a Date would lose the microseconds */
const insert = (on: Queryable, key: NewSigningKey, status: 'active' | 'next', at: string) =>
  on.query<{ activated_at: Date }>(
    `insert into signing_keys (kid, alg, public_jwk, sealed_private_key, status, created_at, activated_at)
     values ($1, $2, $3, $4, $5, $6, case when $5 = 'active' then $6::timestamptz end)
     returning activated_at`,
    [key.kid, key.alg, JSON.stringify(key.publicJwk), key.sealedPrivateKey, status, at],
  )

/** Not now(): a transaction that waited for the lock began before it. */
const timeIn = async (tx: Queryable) => {
  const { rows } = await tx.query<{ at: string }>('select clock_timestamp()::text as at')
  return (rows[0] as { at: string }).at
}

/**
 * When the next key may sign. The first next key was published from the beginning; readers may have a key set from
 * before any later one was made.
 */
const signsFrom = async (tx: Queryable, at: string, publishedAhead: number) => {
  const { rows } = await tx.query<{ moment: string }>(
    `select case when created_at = (select min(created_at) from signing_keys) then $1::timestamptz
                 else greatest($1, created_at + make_interval(secs => $2)) end::text as moment
       from signing_keys where status = 'next'`,
    [at, publishedAhead],
  )
  return (rows[0] as { moment: string }).moment
}

export const createSigningKeyStore = (database: Database): SigningKeyStore => ({
  list: async (keepRetired) => {
    const { rows } = await database.query<Row>(
      `select kid, alg, public_jwk, sealed_private_key, status, created_at, activated_at, retired_at,
              status <> 'next' and activated_at <= clock_timestamp() as in_force
         from signing_keys
        where status <> 'retired' or retired_at > clock_timestamp() - make_interval(secs => $1)
        order by created_at, activated_at, kid`,
      [keepRetired],
    )
    return rows.map((row) => ({
      kid: row.kid,
      alg: row.alg,
      publicJwk: row.public_jwk,
      sealedPrivateKey: row.sealed_private_key,
      status: row.status,
      createdAt: row.created_at,
      activatedAt: row.activated_at,
      retiredAt: row.retired_at,
      inForce: row.in_force,
    }))
  },
  initialise: (active, next) =>
    database.transaction(async (tx) => {
      // Several first starts at once: the lock lets one continue, and the others find its keys.
      await tx.query('lock table signing_keys in share row exclusive mode')
      const { rows } = await tx.query('select 1 from signing_keys limit 1')
      if (rows.length > 0) return
      const at = await timeIn(tx)
      await insert(tx, active, 'active', at)
      await insert(tx, next, 'next', at)
    }),
  rotate: (next, { publishedAhead, keepRetired }, audit) =>
    database.transaction(async (tx) => {
      await tx.query('lock table signing_keys in share row exclusive mode')
      const at = await timeIn(tx)
      await tx.query(
        `delete from signing_keys
          where status = 'retired' and retired_at < $1::timestamptz - make_interval(secs => $2)`,
        [at, keepRetired],
      )
      const moment = await signsFrom(tx, at, publishedAhead)
      await tx.query(
        `update signing_keys set status = 'retired', retired_at = $1 where status = 'active'`,
        [moment],
      )
      const { rows } = await tx.query<{ kid: string; activated_at: Date }>(
        `update signing_keys set status = 'active', activated_at = $1 where status = 'next'
         returning kid, activated_at`,
        [moment],
      )
      await insert(tx, next, 'next', at)
      await insertAuditEvents(tx, [audit])
      const active = rows[0] as { kid: string; activated_at: Date }
      return { kid: active.kid, activatedAt: active.activated_at }
    }),
  replace: (active, next, audit) =>
    database.transaction(async (tx) => {
      await tx.query('lock table signing_keys in share row exclusive mode')
      const at = await timeIn(tx)
      await tx.query('delete from signing_keys')
      const { rows } = await insert(tx, active, 'active', at)
      await insert(tx, next, 'next', at)
      await insertAuditEvents(tx, [audit])
      return (rows[0] as { activated_at: Date }).activated_at
    }),
})
