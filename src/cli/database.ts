import { openPostgres } from '../app/stores.ts'
import type { Config } from '../config/config.ts'
import { createKeyring, type Keyring } from '../core/crypto/keyring.ts'
import { localSecrets } from '../stores/embedded/secrets.ts'
import { type Database, openDatabase } from '../stores/postgres/connection/database.ts'
import { migrate } from '../stores/postgres/connection/migrate.ts'

/** The configured master keys, or the one that a server with embedded stores has created. */
export const keyringOf = async (config: Config): Promise<Keyring> => {
  const [first, ...others] = config.masterKeys
  return createKeyring(
    first ? [first, ...others] : [(await localSecrets(config.dataDirectory)).masterKey],
  )
}

/**
 * Runs work on the database directly, with or without a running server. Migrates the schema first.
 * @param work receives the names of the applied migrations
 */
export const withDatabase = async <Result>(
  config: Config,
  work: (database: Database, applied: string[]) => Promise<Result>,
): Promise<Result> => {
  const postgres = await openPostgres(config)
  try {
    const applied = await migrate(postgres.url, config.migrationTimeout)
    const database = openDatabase({
      url: postgres.url,
      poolSize: 1,
      pooler: config.databasePooler,
      timeout: config.storeTimeout,
      onError: () => undefined, // the failing statement throws too
    })
    return await work(database, applied).finally(() => database.close())
  } finally {
    await postgres.stop()
  }
}
