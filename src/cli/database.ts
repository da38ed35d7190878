import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../stores/postgres/database.ts'
import { migrate } from '../stores/postgres/migrate.ts'

/** Where Postgres is: given, or the packaged one, which is started or joined. */
const openPostgres = async (config: Config) => {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, stop: async () => undefined }
  const { startEmbeddedPostgres } = await import('../stores/embedded/launcher.ts')
  const { connection, stop } = await startEmbeddedPostgres({ directory: config.dataDirectory })
  const { host, port, user, database } = connection
  const query = new URLSearchParams({ host, port: String(port) })
  return { url: `postgres://${user}@/${database}?${query}`, stop }
}

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
