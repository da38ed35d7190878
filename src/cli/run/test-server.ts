import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Command } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { note, say } from '../terminal.ts'
import { listenFault } from './listening.ts'
import { closeOnSignal } from './shutdown.ts'

const refusals = {
  DATABASE_URL: (value: string) => value !== '',
  REDIS_URL: (value: string) => value !== '',
  ISSUER: (value: string) => value.startsWith('https:'),
}

const refuseSettings = (env: NodeJS.ProcessEnv) => {
  const [name] = Object.entries(refusals).find(([name, refuses]) => refuses(env[name] ?? '')) ?? []
  if (name === undefined) return
  const words =
    name === 'ISSUER' ? 'its issuer is http://localhost and its port' : 'its database is its own'
  throw usageError(`the test server does not take this ${name}: ${words}`, [
    'it is for tests only, and drops its data at the end; `latchkey serve` runs a server',
  ])
}

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const ownSeed = new URL('../../../deploy/test-seed.ndjson', import.meta.url)

export const testServer: Command = {
  name: 'test-server',
  summary: 'run a server for tests, with a clock and faults of its own',
  actions: [
    {
      name: '',
      summary:
        'Run a server for tests on 127.0.0.1, on an empty database that is dropped at the end.',
      options: {
        seed: {
          value: 'file',
          help: 'lines as for `latchkey import`, and of type resource_server',
        },
        port: { value: 'number', help: 'default: a free one' },
      },
      notes: [
        'Prints the issuer once it listens, with --json also the operator token. It makes tokens of any kind, also wrong ones:',
        'docs/testing.md, or /docs/testing on the running server. Its template of a database is in LATCHKEY_DATA/test-server.',
      ],
      run: async (input, { env, ...terminal }) => {
        refuseSettings(env)
        const path = input.text('seed') ?? fileURLToPath(ownSeed)
        const lines = await readFile(path, 'utf8').catch(({ code }) => {
          throw usageError(`the seed cannot be read (${code})`)
        })
        const { createTestServer } = await import('../../app/test-server.ts')
        const { createLogger } = await import('../../app/log.ts')
        const port = input.number('port') || (await freePort())
        const starting = createTestServer(env, port, lines.split('\n'), createLogger)
        closeOnSignal(async () => (await starting.catch(() => null))?.close(), {
          info: () => {},
          error: console.error,
        })
        const app = await starting
        const issuer = await app.listen().catch(async (error) => {
          await app.close()
          throw listenFault(error) ?? error
        })
        const about = { issuer, operator_token: app.operatorToken }
        say({ env, ...terminal }, input.json ? JSON.stringify(about) : issuer)
        note(
          { env, ...terminal },
          `The test server listens. Its documentation: ${issuer}/docs/testing`,
        )
      },
    },
  ],
}
