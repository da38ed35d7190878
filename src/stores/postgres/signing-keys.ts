import type { SigningKeyStore, StoredSigningKey } from '../../services/signing-keys.ts'
import { insertAuditEvents } from './audit.ts'
import type { Database, Queryable } from './database.ts'

interface Row {
  kid: string
  alg: 'ES256'
  public_jwk: Record<string, unknown>
  sealed_private_key: Buffer
  status: StoredSigningKey['status']
  created_at: Date
  activated_at: Date | null
  retired_at: Date | null
}

const insert = (on: Queryable, key: StoredSigningKey) =>
  on.query(
    `insert into signing_keys (kid, alg, public_jwk, sealed_private_key, status, created_at, activated_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      key.kid,
      key.alg,
      JSON.stringify(key.publicJwk),
      key.sealedPrivateKey,
      key.status,
      key.createdAt,
      key.activatedAt,
    ],
  )

export const createSigningKeyStore = (database: Database): SigningKeyStore => ({
  list: async () => {
    const { rows } = await database.query<Row>(
      `select kid, alg, public_jwk, sealed_private_key, status, created_at, activated_at, retired_at
         from signing_keys order by created_at, kid`,
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
    }))
  },
  initialise: (active, next) =>
    database.transaction(async (tx) => {
      // Several first starts at once: the lock lets one through, the others find its keys.
      await tx.query('lock table signing_keys in share row exclusive mode')
      const { rows } = await tx.query('select 1 from signing_keys limit 1')
      if (rows.length > 0) return
      await insert(tx, active)
      await insert(tx, next)
    }),
  rotate: (next, keepSeconds, audit) =>
    database.transaction(async (tx) => {
      await tx.query('lock table signing_keys in share row exclusive mode')
      await tx.query(
        `delete from signing_keys
          where status = 'retired' and retired_at < now() - make_interval(secs => $1)`,
        [keepSeconds],
      )
      await tx.query(
        `update signing_keys set status = 'retired', retired_at = now() where status = 'active'`,
      )
      const { rows } = await tx.query<{ kid: string }>(
        `update signing_keys set status = 'active', activated_at = now() where status = 'next'
         returning kid`,
      )
      await insert(tx, next)
      await insertAuditEvents(tx, [audit])
      return (rows[0] as { kid: string }).kid
    }),
})
