// A server for tests: the real one, on a database that is dropped at the end.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import { rivalsOf } from '../../core/clients/resources.ts'
import { digested } from '../../core/credentials/secrets.ts'
import { newSecret } from '../../core/crypto/identifiers.ts'
import { readImportLine } from '../../http/operator/reports/import-lines.ts'
import { createTestDatabase } from '../../stores/postgres/connection/test-database.ts'
import { createLatchkey } from '../app.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { openPostgres, serverName } from '../stores.ts'
import { registerEndpoints } from './endpoints.ts'
import { explainRefusals } from './explain.ts'
import { type SeedLine, seedCause, seedOperator } from './tokens.ts'

const unlimited = { resource: null, permissions: null, organizationIds: null }

/** @returns why it is refused; undefined: it is stored */
const storeLine = async (text: string, { stores, keyring }: Foundation, { imports }: Services) => {
  const read = readImportLine(text, seedOperator)
  const isJson = read.type === 'refused' && read.detail !== 'is not a JSON object'
  const line = isJson ? JSON.parse(text) : {}
  if (line.type !== 'resource_server') return (await imports.store([read], seedCause))[0]?.detail
  const { client_id: clientId, client_secret: secret, name } = line
  if (![clientId, secret, name].every((one) => one && typeof one === 'string'))
    return 'client_id, client_secret and name are required'
  const server = { clientId, name, ...unlimited, ...digested(keyring, secret) }
  return void (await stores.resourceServers.insert(server, rivalsOf([]), []))
}

/** @throws ConfigError that names each wrong line */
const storeSeed = async (text: string, ...of: [Foundation, Services]) => {
  const faults: string[] = []
  const seed: SeedLine[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const fault = await storeLine(line, ...of)
    if (fault === undefined) seed.push(JSON.parse(line))
    else faults.push(`line ${at + 1} of the seed: ${fault}`)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return seed
}

const failAfter = (undo: () => Promise<void>) => (error: unknown) =>
  undo().then(() => Promise.reject(error))

/** @throws ConfigError for wrong lines of the seed */
export const createTestServer = async (read: Config, text: string, logger: FastifyBaseLogger) => {
  const dataDirectory = join(read.dataDirectory, 'test-server')
  const postgres = await openPostgres({ databaseUrl: null, dataDirectory }, serverName(read))
  const urlOf = (database: string) => postgres.url.replace(/@\/\w+/, `@/${database}`)
  const database = await createTestDatabase(urlOf).catch(failAfter(postgres.stop))
  const stop = () => database.drop().finally(postgres.stop)
  const config = {
    ...{ ...read, databaseUrl: database.url, masterKeys: [randomBytes(32)] },
    operatorToken: read.operatorToken ?? newSecret('operatorToken'),
  }
  const app = await createLatchkey(config, logger, null, undefined, async (server, ...of) => {
    const seed = await storeSeed(text, ...of)
    await database.keep()
    explainRefusals(server, config.issuer)
    registerEndpoints(server, ...of, { seed, database })
  }).catch(failAfter(stop))
  return { ...app, close: () => app.close().finally(stop) }
}
