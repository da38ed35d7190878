import type {
  OperatorToken,
  OperatorTokenStore,
} from '../../../core/credentials/operator-tokens.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'

interface OperatorTokenRow {
  id: string
  name: string
  permissions: string[]
  organization_ids: string[] | null
  hint: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

const columns =
  'id, name, permissions, organization_ids, hint, created_at, last_used_at, expires_at'

const toOperatorToken = (row: OperatorTokenRow): OperatorToken => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions,
  organizationIds: row.organization_ids,
  hint: row.hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})

interface PresentedToken {
  id: string
  digest: HexBytes
  permissions: string[]
  organization_ids: string[] | null
  stale: boolean
}

const faultOf = async (
  tx: Queryable,
  { expiresAt, organizationIds }: Pick<OperatorToken, 'expiresAt' | 'organizationIds'>,
) => {
  const { rows } = await tx.query<{ expired: boolean; found: number }>(
    `select coalesce($1::timestamptz <= now(), false) as expired,
            (select count(*)::integer from organizations where id = any($2::text[])) as found`,
    [expiresAt, organizationIds ?? []],
  )
  if (rows[0]?.expired) return 'expired'
  return rows[0]?.found === (organizationIds?.length ?? 0) ? null : 'unknown_organization'
}

export const createOperatorTokenStore = (database: Database): OperatorTokenStore => {
  // Batched, because any caller may send text in the form of a token, and only this query shows that it is none.
  const readToken = batchedRead<PresentedToken>(database, {
    name: 'operator_token_digest',
    query: `
      select id, digest, permissions, organization_ids,
             last_used_at is null or last_used_at < now() - interval '1 minute' as stale
        from operator_tokens
       where digest = $1 and (expires_at is null or expires_at > now())`,
    types: ['bytea'],
  })
  return {
    insert: (token, events) =>
      database.transaction(async (tx) => {
        const fault = await faultOf(tx, token)
        if (fault) return fault
        const { rows } = await tx.query<OperatorTokenRow>(
          `insert into operator_tokens
             (id, name, permissions, organization_ids, digest, digest_key_id, hint, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
          [
            token.id,
            token.name,
            token.permissions,
            token.organizationIds,
            token.digest,
            token.digestKeyId,
            token.hint,
            token.expiresAt,
          ],
        )
        await insertAuditEvents(tx, events)
        return toOperatorToken(rows[0]!)
      }),

    useByDigest: async (digests) => {
      const found = await Promise.all(digests.map((digest) => readToken([digest])))
      const token = found.find((one) => one !== null)
      if (token?.stale)
        await database.query(
          `update operator_tokens set last_used_at = now()
            where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
          [token.id],
        )
      if (!token) return null
      const { id, digest, permissions, organization_ids: organizationIds } = token
      return { id, digest: bytesOf(digest), permissions, organizationIds }
    },

    list: async (page) => {
      const { rows } = await database.query<OperatorTokenRow & { place: string }>(
        `select ${columns}, ${placeColumn('id')} from operator_tokens
         where ${afterPlace('id')} ${orderAndLimit('id')}`,
        pageValues(page),
      )
      return toPage(rows, page, toOperatorToken)
    },

    remove: (id, admit) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<OperatorTokenRow>(
          `delete from operator_tokens where id = $1 returning ${columns}`,
          [id],
        )
        if (!rows[0]) return false
        await insertAuditEvents(tx, admit(toOperatorToken(rows[0])))
        return true
      }),
  }
}
