import { isDeepStrictEqual } from 'node:util'
import type { PublicJwk, VerificationKeyStore } from '../../../core/tokens/verification-keys.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'

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
