import { readFile } from 'node:fs/promises'
import type { Queryable } from './database.ts'

const lock = 7_305_377

/**
 * Creates missing tables. Concurrent callers wait until this transaction has ended. @throws Error
 * if the database has the tables of an older data API
 */
export const createSchema = async (tx: Queryable): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock($1)', [lock])
  const { rowCount } = await tx.query(
    "select from pg_class where oid = to_regclass('data_api.rows') and relkind = 'r'",
  )
  if (rowCount) throw new Error('the schema data_api is of an older data API: drop it first')
  await tx.query(await readFile(new URL('schema.sql', import.meta.url), 'utf8'))
}
