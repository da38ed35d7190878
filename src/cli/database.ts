import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../stores/postgres/database.ts'
import { migrate } from '../stores/postgres/migrate.ts'
import { openPostgres } from '../stores.ts'

/**
 * Works on the database without a server, or beside one; its schema is brought up to date first.
 * @param work gets the names of the migrations that were applied
 */
export const withDatabase = async <Result>(
  config: Config,
  work: (database: Database, applied: string[]) => Promise<Result>,
): Promise<Result> => {
  const postgres = await openPostgres(config)
  try {
    const applied = await migrate(postgres.url)
    const database = openDatabase({
      url: postgres.url,
      poolSize: 1,
      timeout: config.storeTimeout,
      onError: () => undefined, // the statement that it hits fails too
    })
    return await work(database, applied).finally(() => database.close())
  } finally {
    await postgres.stop()
  }
}
