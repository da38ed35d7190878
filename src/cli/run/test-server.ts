import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { limitHeapGrowth } from '../../app/v8-flags.ts'
import { readConfig } from '../../config/config.ts'
import { singleAction } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { say } from '../terminal.ts'
import { listenFault } from './listening.ts'
import { closeOnSignal } from './shutdown.ts'

const ownSeed = new URL('../../../deploy/test-server/seed.ndjson', import.meta.url)
const ofOthers = ['DATABASE_URL', 'DATABASE_URL_FILE', 'REDIS_URL', 'REDIS_URL_FILE', 'ISSUER']

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** @throws CommandError, ConfigError */
const configFor = (env: NodeJS.ProcessEnv, port: number) => {
  const refused = ofOthers.find((name) => env[name] && !env[name].startsWith('http:'))
  if (refused)
    throw usageError(`a test server has its own stores and http issuer: unset ${refused}`)
  return readConfig({
    ...{ GRANTS_PER_USER_AND_APP: '10000', LIMIT_GRANTS: '1000000', LOG_LEVEL: 'error', ...env },
    ...{ HOST: '127.0.0.1', PORT: String(port), ISSUER: `http://localhost:${port}`, WORKERS: '1' },
    SIGNING_KEY_AHEAD_SECONDS: '0',
  })
}

export const testServer = singleAction(
  'test-server',
  'run a server for tests, which makes any token',
  {
    summary: 'Run a server for tests on this machine, with a database that is dropped at the end.',
    options: {
      seed: { value: 'file', help: 'lines of `latchkey import`, and of type resource_server' },
      port: { value: 'number', help: 'default: a free one' },
    },
    notes: [
      'Prints the issuer, with --json also the operator token, once it listens: docs/testing.md',
    ],
    run: async (input, terminal) => {
      const config = configFor(terminal.env, input.number('port') || (await freePort()))
      const seed = await readFile(input.text('seed') ?? ownSeed, 'utf8').catch(({ code }) => {
        throw usageError(`the seed cannot be read (${code})`)
      })
      limitHeapGrowth()
      const { createTestServer } = await import('../../app/test-server/test-server.ts')
      const { createLogger } = await import('../../app/log.ts')
      const logger = createLogger(config.logLevel)
      const starting = createTestServer(config, seed, logger)
      closeOnSignal(async () => (await starting.catch(() => null))?.close(), logger)
      const app = await starting
      const issuer = await app.listen().catch(async (error) => {
        await app.close()
        throw listenFault(error) ?? error
      })
      const about = { issuer, operator_token: app.operatorToken }
      say(terminal, input.json ? JSON.stringify(about) : issuer)
    },
  },
)
