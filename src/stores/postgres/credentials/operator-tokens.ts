import type { Operator } from '../../../core/credentials/operator-permissions.ts'
import type {
  OperatorToken,
  OperatorTokenStore,
} from '../../../core/credentials/operator-tokens.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { column, computed, insertInto, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn } from '../connection/paging.ts'

const given = {
  id: column,
  name: column,
  permissions: column,
  organizationIds: column,
  hint: column,
  expiresAt: column,
}
const columns = selected<OperatorToken>({ ...given, createdAt: column, lastUsedAt: column })
const insertToken = insertInto<Parameters<OperatorTokenStore['insert']>[0]>('operator_tokens', {
  ...given,
  digest: column,
  digestKeyId: column,
})

interface PresentedToken extends Operator {
  digest: HexBytes
  stale: boolean
}

const presentedColumns = selected<PresentedToken>({
  id: column,
  digest: column,
  permissions: column,
  organizationIds: column,
  stale: computed(`last_used_at is null or last_used_at < now() - interval '1 minute'`),
})

const faultOf = async (
  tx: Queryable,
  { expiresAt, organizationIds }: Pick<OperatorToken, 'expiresAt' | 'organizationIds'>,
) => {
  const row = await tx.row<{ expired: boolean; found: number }>(
    `select coalesce($1::timestamptz <= now(), false) as expired,
            (select count(*)::integer from organizations where id = any($2::text[])) as found`,
    [expiresAt, organizationIds ?? []],
  )
  if (row?.expired) return 'expired'
  return row?.found === (organizationIds?.length ?? 0) ? null : 'unknown_organization'
}

export const createOperatorTokenStore = (database: Database): OperatorTokenStore => {
  // Batched, because any caller may send text in the form of a token, and only this query shows that it is none.
  const readToken = batchedRead<PresentedToken>(database, {
    name: 'operator_token_digest',
    query: `
      select ${presentedColumns} from operator_tokens
       where digest = $1 and (expires_at is null or expires_at > now())`,
    types: ['bytea'],
  })
  return {
    insert: (token, events) =>
      database.transaction(async (tx) => {
        const fault = await faultOf(tx, token)
        if (fault) return fault
        const row = await tx.row<OperatorToken>(
          `${insertToken.text} returning ${columns}`,
          insertToken.values(token),
        )
        await insertAuditEvents(tx, events)
        return row!
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
      const { id, digest, permissions, organizationIds } = token
      return { id, digest: bytesOf(digest), permissions, organizationIds }
    },

    list: (page) =>
      database.page<OperatorToken>(
        page,
        `select ${columns}, ${placeColumn('id')} from operator_tokens
         where ${afterPlace('id')} ${orderAndLimit('id')}`,
        pageValues(page),
      ),

    remove: (id, admit) =>
      database.transaction(async (tx) => {
        const row = await tx.row<OperatorToken>(
          `delete from operator_tokens where id = $1 returning ${columns}`,
          [id],
        )
        if (!row) return false
        await insertAuditEvents(tx, admit(row))
        return true
      }),
  }
}
