import { isDeepStrictEqual } from 'node:util'
import type { SigningAlgorithm } from '../../../core/clients/signing-algorithm.ts'
import type { NewSigningKey } from '../../../core/tokens/generate-key.ts'
import type {
  FirstKeys,
  RotationTimes,
  SigningKeyStore,
  StoredSigningKey,
} from '../../../core/tokens/signing-keys.ts'
import type { PublicJwk, VerificationKeyStore } from '../../../core/tokens/verification-keys.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'

/** The previous version signs access tokens with any key of the first table, so RSA keys have another one. */
const tables = { ES256: 'signing_keys', RS256: 'rsa_signing_keys' } as const
const algorithms: SigningAlgorithm[] = ['ES256', 'RS256']

const columns = selected<StoredSigningKey>({
  ...plain('kid', 'alg', 'publicJwk', 'sealedPrivateKey', 'status', 'createdAt', 'activatedAt'),
  ...plain('retiredAt'),
  inForce: computed(`status <> 'next' and activated_at <= clock_timestamp()`),
})

/** @param at time as text: a Date would lose the microseconds @returns when it became active */
const insert = (on: Queryable, key: NewSigningKey, status: 'active' | 'next', at: string) =>
  on.value<Date>(
    `insert into ${tables[key.alg]} (kid, alg, public_jwk, sealed_private_key, status, created_at, activated_at)
     values ($1, $2, $3, $4, $5, $6, case when $5 = 'active' then $6::timestamptz end)
     returning activated_at`,
    [key.kid, key.alg, JSON.stringify(key.publicJwk), key.sealedPrivateKey, status, at],
  )

const insertFirst = async (on: Queryable, { active, next }: FirstKeys, at: string) => {
  const activatedAt = await insert(on, active, 'active', at)
  await insert(on, next, 'next', at)
  return activatedAt as Date
}

const lock = (tx: Queryable, alg: SigningAlgorithm) =>
  tx.query(`lock table ${tables[alg]} in share row exclusive mode`)

/** Not now(): a transaction that waited for the lock began before it. */
const timeIn = async (tx: Queryable) =>
  (await tx.value<string>('select clock_timestamp()::text as at')) as string

/**
 * When the next key may sign; null: there is none. The first next key was published from the beginning; readers may have
 * a key set from before any later one was made.
 */
const signsFrom = (tx: Queryable, table: string, at: string, publishedAhead: number) =>
  tx.value<string>(
    `select case when created_at = (select min(created_at) from ${table}) then $1::timestamptz
                 else greatest($1, created_at + make_interval(secs => $2)) end::text as moment
       from ${table} where status = 'next'`,
    [at, publishedAhead],
  )

/** @returns the active key; null when the algorithm has no keys any more */
const rotateOne = async (
  tx: Queryable,
  next: NewSigningKey,
  { publishedAhead, keepRetired }: RotationTimes,
  at: string,
) => {
  const table = tables[next.alg]
  await tx.query(
    `delete from ${table}
      where status = 'retired' and retired_at < $1::timestamptz - make_interval(secs => $2)`,
    [at, keepRetired],
  )
  const moment = await signsFrom(tx, table, at, publishedAhead)
  if (moment === null) return null
  await tx.query(
    `update ${table} set status = 'retired', retired_at = $1 where status = 'active'`,
    [moment],
  )
  const active = await tx.one<{ kid: string; activatedAt: Date }>(
    `update ${table} set status = 'active', activated_at = $1 where status = 'next'
     returning kid, activated_at as "activatedAt"`,
    [moment],
  )
  await insert(tx, next, 'next', at)
  return active
}

const publishedIn = (table: string) => `
  select ${columns}
    from ${table}
   where status <> 'retired' or retired_at > clock_timestamp() - make_interval(secs => $1)`

export const createSigningKeyStore = (database: Database): SigningKeyStore => ({
  list: (keepRetired) =>
    database.rows(
      `${algorithms.map((alg) => publishedIn(tables[alg])).join(' union all ')}
       order by "createdAt", "activatedAt", kid`,
      [keepRetired],
    ),
  initialise: database.inTransaction(async (tx, keys) => {
    const { alg } = keys.active
    // Several first uses at once: the lock lets one continue, and the others find its keys.
    await lock(tx, alg)
    if (!(await tx.affects(`select 1 from ${tables[alg]} limit 1`)))
      await insertFirst(tx, keys, await timeIn(tx))
  }),
  rotate: database.inTransaction(async (tx, next, times, audit) => {
    for (const { alg } of next) await lock(tx, alg)
    const at = await timeIn(tx)
    const [first, ...others] = next as [NewSigningKey, ...NewSigningKey[]]
    const active = await rotateOne(tx, first, times, at)
    for (const one of others) await rotateOne(tx, one, times, at)
    await insertAuditEvents(tx, [audit])
    return active as NonNullable<typeof active>
  }),
  replace: database.inTransaction(async (tx, keys, audit) => {
    for (const alg of algorithms) await lock(tx, alg)
    const at = await timeIn(tx)
    // Keys that another instance has just made as well.
    for (const alg of algorithms) await tx.query(`delete from ${tables[alg]}`)
    const times: Date[] = []
    for (const one of keys) times.push(await insertFirst(tx, one, at))
    await insertAuditEvents(tx, [audit])
    return times[0] as Date
  }),
})

/** Keys of the server that this one replaces. */
export const createVerificationKeyStore = (database: Database): VerificationKeyStore => ({
  put: database.inTransaction(async (tx, jwk, until, event) => {
    const { kid } = jwk
    const isOurs = await tx.affects(
      'select from signing_keys where kid = $1 union all select from rsa_signing_keys where kid = $1',
      [kid],
    )
    if (isOurs) return 'taken'
    const isNew = await tx.affects(
      `insert into verification_keys (kid, jwk, until) values ($1, $2, $3) on conflict do nothing`,
      [kid, JSON.stringify(jwk), until],
    )
    const row = await tx.row<{ jwk: PublicJwk; until: Date }>(
      'select jwk, until from verification_keys where kid = $1 for update',
      [kid],
    )
    if (!isDeepStrictEqual(row?.jwk, jwk)) return 'taken'
    if (!isNew && row?.until.getTime() === until.getTime()) return 'unchanged'
    if (!isNew)
      await tx.query('update verification_keys set until = $2 where kid = $1', [kid, until])
    await insertAuditEvents(tx, [event])
    return isNew ? 'created' : 'updated'
  }),
  list: () =>
    database.values(
      'select jwk from verification_keys where until > now() order by created_at, kid limit 100',
      [],
      'verification_keys',
    ),
})
