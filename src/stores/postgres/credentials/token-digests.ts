import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { type Columns, column, computed, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

type Presented<Token> = Token & { digest: HexBytes; stale: boolean }

const isStale = `(last_used_at is null or last_used_at < now() - interval '1 minute')`

/**
 * Finds a token by one of its digests, and records its use to the minute. Batched, because any caller may send text in
 * the form of a token, and only this query shows that it is none.
 * @param name of the prepared statement
 * @param live a condition of tokens that count
 */
export const tokenByDigest = <Token extends { id: string }>(
  database: Database,
  name: string,
  { table, columns, live = 'true' }: { table: string; columns: Columns<Token>; live?: string },
) => {
  const presented = selected({ ...columns, digest: column, stale: computed(isStale) })
  const read = batchedRead<Presented<Token>>(
    database,
    `select ${presented} from ${table} where digest = $1 and ${live}`,
    ['bytea'],
    name,
  )
  const recordUse = `update ${table} set last_used_at = now() where id = $1 and ${isStale}`
  return async (digests: readonly Buffer[]) => {
    const found = await Promise.all(digests.map((digest) => read([digest])))
    const token = found.find((one) => one !== null)
    if (!token) return null
    if (token.stale) await database.run(recordUse, [token.id])
    const { stale: _, digest, ...own } = token
    return { ...own, digest: bytesOf(digest) }
  }
}
