import type { Operator } from '../../../core/credentials/operator-permissions.ts'
import type {
  OperatorToken,
  OperatorTokenStore,
} from '../../../core/credentials/operator-tokens.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { column, insertInto, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { tokenByDigest } from './token-digests.ts'

const given = plain('id', 'name', 'permissions', 'organizationIds', 'hint', 'expiresAt')
const columns = selected<OperatorToken>({ ...given, createdAt: column, lastUsedAt: column })
const tokens = {
  ...{ table: 'operator_tokens', columns },
  orders: { name: 'lower(name)' },
  search: 'position(lower(?) in lower(name)) > 0',
}
const insertToken = insertInto<Parameters<OperatorTokenStore['insert']>[0]>(
  'operator_tokens',
  { ...given, ...plain('digest', 'digestKeyId') },
  `returning ${columns}`,
)

const faultOf = async (
  tx: Queryable,
  { expiresAt, organizationIds }: Pick<OperatorToken, 'expiresAt' | 'organizationIds'>,
) => {
  const row = await tx.one<{ expired: boolean; found: number }>(
    `select coalesce($1::timestamptz <= now(), false) as expired,
            (select count(*)::integer from organizations where id = any($2::text[])) as found`,
    [expiresAt, organizationIds ?? []],
  )
  if (row.expired) return 'expired'
  return row.found === (organizationIds?.length ?? 0) ? null : 'unknown_organization'
}

export const createOperatorTokenStore = (database: Database): OperatorTokenStore => ({
  insert: database.inTransaction(async (tx, token, events) => {
    const fault = await faultOf(tx, token)
    return fault ?? (await changeRow<OperatorToken>(tx, ...insertToken(token), events))!
  }),

  useByDigest: tokenByDigest<Operator>(database, 'operator_token_digest', {
    table: 'operator_tokens',
    columns: plain('id', 'permissions', 'organizationIds'),
    live: '(expires_at is null or expires_at > now())',
  }),

  list: (page) => listRows<OperatorToken>(database, page, tokens),

  remove: (id, admit) => removeRow(database, tokens, id, admit),
})
