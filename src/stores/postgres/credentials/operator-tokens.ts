import type { Operator } from '../../../core/credentials/operator-permissions.ts'
import type {
  OperatorToken,
  OperatorTokenStore,
} from '../../../core/credentials/operator-tokens.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { column, computed, insertInto, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listByCreation } from '../connection/lists.ts'

const given = plain('id', 'name', 'permissions', 'organizationIds', 'hint', 'expiresAt')
const columns = selected<OperatorToken>({ ...given, createdAt: column, lastUsedAt: column })
const insertToken = insertInto<Parameters<OperatorTokenStore['insert']>[0]>('operator_tokens', {
  ...given,
  ...plain('digest', 'digestKeyId'),
})

interface PresentedToken extends Operator {
  digest: HexBytes
  stale: boolean
}

const presentedColumns = selected<PresentedToken>({
  ...plain('id', 'digest', 'permissions', 'organizationIds'),
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
        return (await changeRow<OperatorToken>(
          tx,
          `${insertToken.text} returning ${columns}`,
          insertToken.values(token),
          events,
        ))!
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
      listByCreation<OperatorToken>(database, page, { columns, table: 'operator_tokens' }),

    remove: (id, admit) =>
      removeRow<OperatorToken>(
        database,
        `delete from operator_tokens where id = $1 returning ${columns}`,
        [id],
        admit,
      ),
  }
}
