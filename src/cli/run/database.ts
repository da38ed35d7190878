/**
 * Commands that work on the database directly, with or without a running server. They load this module only when they
 * run, because the stores take longer to load than most commands take to run.
 */
import { openPostgres } from '../../app/stores.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { createMasterKeys } from '../../core/credentials/master-keys.ts'
import {
  createOperatorGrants,
  type OperatorGrants,
} from '../../core/credentials/operator-grants.ts'
import { createOperatorTokens } from '../../core/credentials/operator-tokens.ts'
import { createKeyring, type Keyring } from '../../core/crypto/keyring.ts'
import { namesOfService } from '../../core/people/password-rules.ts'
import { createPasswords } from '../../core/people/passwords.ts'
import { createUsers, type Users } from '../../core/people/users.ts'
import { localSecrets } from '../../stores/embedded/secrets.ts'
import { type EndedByRestore, endRestored } from '../../stores/postgres/connection/after-restore.ts'
import { type Database, openDatabase } from '../../stores/postgres/connection/database.ts'
import { migrate } from '../../stores/postgres/connection/migrate.ts'
import { createMasterKeyStore } from '../../stores/postgres/credentials/master-keys.ts'
import { createOperatorTokenStore } from '../../stores/postgres/credentials/operator-tokens.ts'
import { createOperatorGrantStore } from '../../stores/postgres/credentials/operators.ts'
import { createUserStore } from '../../stores/postgres/people/users.ts'
import { note, type Terminal } from '../terminal.ts'
import { databaseWords, requireDatabase } from './which-database.ts'

/** The configured master keys, or the one that a server with embedded stores has created. */
const keyringOf = async (config: Config): Promise<Keyring> => {
  const { masterKeys, dataDirectory } = config
  const [first = (await localSecrets(dataDirectory)).masterKey, ...others] = masterKeys
  return createKeyring([first, ...others])
}

/**
 * Migrates the schema, then runs the work.
 * @param work receives the address of Postgres and the names of the applied migrations
 */
const withPostgres = async <Result>(
  config: Config,
  terminal: Terminal,
  work: (url: string, applied: string[]) => Promise<Result>,
): Promise<Result> => {
  const postgres = await openPostgres(config, 'command')
  try {
    note(terminal, databaseWords(config, await postgres.others()))
    return await work(postgres.url, await migrate(postgres.url, config.migrationTimeout))
  } finally {
    await postgres.stop()
  }
}

/** Reads the configuration, and refuses a database that no server has made. */
const configFor = async (terminal: Terminal): Promise<Config> => {
  const config = readConfig(terminal.env)
  await requireDatabase(config, terminal)
  return config
}

/** Runs work on a service, which is prepared before the database is opened. */
const workOn =
  <Service>(prepare: (config: Config) => Promise<(database: Database) => Service>) =>
  async (terminal: Terminal, work: (service: Service) => Promise<void>): Promise<void> => {
    const config = await configFor(terminal)
    const serviceOn = await prepare(config)
    await withPostgres(config, terminal, (url) => {
      const database = openDatabase({
        url,
        poolSize: 1,
        pooler: config.databasePooler,
        timeout: config.storeTimeout,
        onError: () => undefined, // the failing statement throws too
      })
      return work(serviceOn(database)).finally(() => database.close())
    })
  }

/** Runs work on the master keys of the environment. */
export const withMasterKeys = workOn(async (config) => {
  const keyring = await keyringOf(config)
  return (database) => createMasterKeys({ store: createMasterKeyStore(database), keyring })
})

export const withOperatorTokens = workOn(async (config) => {
  const keyring = await keyringOf(config)
  return (database) => createOperatorTokens({ store: createOperatorTokenStore(database), keyring })
})

export interface Operators {
  grants: OperatorGrants
  users: Users
}

export const withOperators = workOn(async ({ brand, issuer }) => {
  const passwords = createPasswords()
  return (database): Operators => ({
    grants: createOperatorGrants(createOperatorGrantStore(database)),
    users: createUsers({
      store: createUserStore(database),
      hashPassword: passwords.hash,
      verifyPassword: passwords.verify,
      serviceNames: namesOfService(brand.name, issuer),
    }),
  })
})

/** @returns the names of the applied migrations, and the name of the database for people */
export const migrateDatabase = async (terminal: Terminal) => {
  const config = await configFor(terminal)
  const applied = await withPostgres(config, terminal, async (_url, names) => names)
  const isEmbedded = config.databaseUrl === null
  return { applied, database: isEmbedded ? `embedded, ${config.dataDirectory}` : 'DATABASE_URL' }
}

/** @returns how many grants, sessions and operator tokens it ended */
export const endAfterRestore = async (terminal: Terminal): Promise<EndedByRestore> =>
  withPostgres(await configFor(terminal), terminal, endRestored)
