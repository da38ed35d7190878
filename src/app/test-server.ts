// A server for the tests of data APIs and apps: the real one, on a database of its own that is dropped at the end.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { readConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { byServer } from '../core/audit/audit.ts'
import { everything } from '../core/credentials/operator-permissions.ts'
import { digested } from '../core/credentials/secrets.ts'
import { newSecret } from '../core/crypto/identifiers.ts'
import { readImportLine } from '../http/operator/reports/import-lines.ts'
import { createValidatorCompiler } from '../http/operator/validation.ts'
import { testing } from '../http/testing/testing.ts'
import { createTestTokens, type SeedLine } from '../http/testing/tokens.ts'
import { startEmbeddedPostgres } from '../stores/embedded/launcher.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../stores/postgres/connection/test-database.ts'
import { createLatchkey } from './app.ts'
import type { Foundation } from './foundation.ts'
import type { Services } from './services/services.ts'
import { serverName, socketUrl } from './stores.ts'

const operator = { id: 'seed', permissions: [everything], organizationIds: null }
const cause = { ...byServer, rights: operator, quiet: true as const }

const storeResourceServer = async ({ stores, keyring }: Foundation, line: SeedLine) => {
  const { client_id: clientId, client_secret: secret, name } = line
  if (![clientId, secret, name].every((one) => typeof one === 'string' && one !== ''))
    return { status: 'refused', detail: 'client_id, client_secret and name are required' }
  const limits = { resource: null, permissions: null, organizationIds: null }
  const server = { clientId, name, ...limits, ...digested(keyring, secret as string) }
  const rivals = { stems: [], areTaken: () => false }
  await stores.resourceServers.insert(
    server as typeof server & { clientId: string; name: string },
    rivals,
    [],
  )
  return { status: 'created' }
}

/** @throws ConfigError that names each wrong line */
const storeSeed = async (
  foundation: Foundation,
  { imports }: Services,
  lines: readonly string[],
) => {
  const faults: string[] = []
  const seed: SeedLine[] = []
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue
    const line = text.includes('"resource_server"') ? (JSON.parse(text) as SeedLine) : null
    const [outcome] =
      line?.type === 'resource_server'
        ? [await storeResourceServer(foundation, line)]
        : await imports.store([readImportLine(text, operator)], cause)
    if (outcome?.status === 'refused') faults.push(`line ${at + 1} of the seed: ${outcome.detail}`)
    else seed.push(JSON.parse(text))
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return seed
}

/** Imports the lines about an app or a user once more, under an id of its own. */
const copier =
  ({ imports }: Services, seed: readonly SeedLine[]) =>
  async (type: 'app' | 'user', id: string) => {
    const copy = `copy-${randomBytes(8).toString('hex')}`
    const copied = ({ type: of, ...line }: SeedLine) => {
      const field = type === 'app' ? 'client_id' : of === 'user' ? 'id' : 'user'
      if (of === 'key_set' || line[field] !== id) return []
      const email = of === 'user' ? { email: `${copy}@test.invalid` } : {}
      return [
        readImportLine(JSON.stringify({ type: of, ...line, ...email, [field]: copy }), operator),
      ]
    }
    await imports.store(seed.flatMap(copied), cause)
    return copy
  }

const register =
  (database: TestDatabase, lines: readonly string[]) =>
  async (server: Parameters<typeof testing>[0], foundation: Foundation, services: Services) => {
    const { stores, config } = foundation
    const seed = await storeSeed(foundation, services, lines)
    await database.keep()
    const mint = createTestTokens({
      ...services,
      ...{ seed, grants: stores.grants, revocation: stores.revocation, now: stores.now },
      userEpoch: database.userEpoch,
      copy: copier(services, seed),
      end: {
        app: (install) => services.installs.end(install, byServer),
        user: ({ userId }) => services.users.change(userId, { disabled: true }, cause),
        connection: (connection) => services.accessEnd(connection, byServer),
      },
    })
    const readTime = () => stores.readTime()
    await testing(server, {
      ...{ issuer: config.issuer, compile: createValidatorCompiler(), mint },
      setClock: (to) => database.setClock(to).then(readTime),
      advanceClock: (seconds) => database.advanceClock(seconds).then(readTime),
      rotateKeys: () => services.signingKeys.rotate(byServer),
      reset: () =>
        database.restore().then(() => Promise.all([readTime(), services.catalogue.refresh()])),
    })
  }

/**
 * @param lines of the seed
 * @throws ConfigError for a wrong setting or line
 */
export const createTestServer = async (
  env: NodeJS.ProcessEnv,
  port: number,
  lines: readonly string[],
  loggerOf: (level: string) => FastifyBaseLogger,
) => {
  const read = readConfig({
    ...{ GRANTS_PER_USER_AND_APP: '10000', LIMIT_GRANTS: '1000000', LOG_LEVEL: 'error', ...env },
    ...{ HOST: '127.0.0.1', PORT: String(port), ISSUER: `http://localhost:${port}`, WORKERS: '1' },
    SIGNING_KEY_AHEAD_SECONDS: '0',
  })
  const directory = join(read.dataDirectory, 'test-server')
  const postgres = await startEmbeddedPostgres({ directory, name: serverName(read) })
  const urlOf = (database: string) => socketUrl({ ...postgres.connection, database })
  const database = await createTestDatabase(urlOf)
  const config = {
    ...read,
    databaseUrl: database.url,
    masterKeys: [randomBytes(32)],
    operatorToken: read.operatorToken ?? newSecret('operatorToken'),
  }
  const stop = () => database.drop().finally(postgres.stop)
  try {
    const testServer = {
      explained: `${config.issuer}/docs/errors`,
      register: register(database, lines),
    }
    const app = await createLatchkey(config, loggerOf(config.logLevel), null, undefined, testServer)
    return { ...app, close: () => app.close().finally(stop) }
  } catch (error) {
    await stop()
    throw error
  }
}
