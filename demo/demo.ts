import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createLatchkey } from '#dist/app/app.js'
import { createLogger } from '#dist/app/log.js'
import { explainRefusals } from '#dist/app/test-server/explain.js'
import { createOperatorApi } from '#dist/cli/operator-api.js'
import { readConfig } from '#dist/config/config.js'
import { writeAppEnv } from './app-env.ts'
import { password, people } from './cast.ts'
import { createDemoClient } from './client/client.ts'
import { createFramedApps } from './client/framed-apps.ts'
import { hasDataApi, startDataApi } from './data-api.ts'
import { writeSettings } from './examples.ts'
import { hasMcpServer, startMcpServer } from './mcp-server.ts'
import { readMemory, writeMemory } from './memory.ts'
import { freePorts, portsNeeded } from './ports.ts'
import { type DemoPostgres, openDemoPostgres } from './postgres.ts'
import { type Homes, type Seeded, seedUnlessSeeded } from './seed.ts'

export interface DemoOptions {
  /** The first port to try for a range of free ports. Default: as in the last start, else 3000. */
  port?: number
  /** The data directory of the demo, separate from a real installation. */
  directory: string
  /** Receives one line per finished step. */
  tell(line: string): void
  logLevel?: string
  /** Default: lines on stdout. */
  logger?: Parameters<typeof createLatchkey>[1]
}

/** The addresses of the demo and its sign-ins. */
export interface DemoAddresses {
  issuer: string
  client: string
  /** null when it was not built. */
  dataApi: string | null
  /** The MCP server, and the client id to enter in a client; null when it was not built. */
  mcpServer: { url: string; clientId: string } | null
  account: string
  /** The operator's console. */
  console: string
  /** The file with the variables of the documentation's samples. */
  appEnv: string
  /** Commands that start the examples which need the data API; empty without it. */
  examples: string[]
  people: { email: string; password: string; part: string }[]
  directory: string
  /** Where the database is if it cannot be in the directory: Postgres never runs as root. */
  databaseElsewhere: string | null
}

export interface RunningDemo extends DemoAddresses {
  close(): Promise<void>
}

const host = '127.0.0.1'

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The demo ignores the environment, so that it never uses the database of a real server. */
const configFor = (port: number, platform: string, { directory, logLevel }: DemoOptions) =>
  readConfig({
    PORT: String(port),
    HOST: host,
    ISSUER: `http://${host}:${port}`,
    LATCHKEY_DATA: directory,
    PLATFORM_ORIGINS: platform,
    // Browsers offer no passkeys at an IP address.
    OPERATOR_PASSKEY_REQUIRED: 'false',
    LOG_LEVEL: logLevel ?? 'error',
  })

const defaultPort = 3000

/** The last ports again, so that addresses and tokens stay valid. */
const portFor = async ({ port, directory, tell }: DemoOptions): Promise<number> => {
  const wanted = port ?? (await readMemory(directory))?.port ?? defaultPort
  const { first, taken } = await freePorts(wanted)
  if (taken.length > 0) {
    const which = taken.length === 1 ? `Port ${taken[0]} is` : `Ports ${taken.join(', ')} are`
    tell(`${which} in use, so all addresses are new: ports ${first} to ${first + portsNeeded - 1}.`)
    tell(`Read ${join(directory, 'app.env')} again in terminals that have read it.`)
  }
  return first
}

// Another host name makes another site: its pages in a frame get no cookies of ours.
const homesFrom = (port: number): Homes => ({
  client: `http://${host}:${port + 1}`,
  frames: `http://localhost:${port + 3}`,
  dataApi: `http://${host}:${port + 2}`,
  webApp: `http://${host}:${port + 4}`,
  singlePageApp: `http://${host}:${port + 5}`,
  mcpServer: `http://${host}:${port + 6}`,
})

/** Starts the data API. It uses the Postgres of the demo. */
const dataApiFor = async (
  { directory, tell }: DemoOptions,
  about: { issuer: string; url: string; seeded: Seeded; postgres: DemoPostgres },
) => {
  const starting = performance.now()
  const { issuer, url, seeded, postgres } = about
  const { resourceServer, platform } = seeded
  const databaseUrl = await postgres.dataApiUrl()
  const playground = {
    current: seeded.apps.playground.clientId,
    legacy: seeded.apps.legacyPlayground.clientId,
  }
  const options = { issuer, url, directory, databaseUrl, resourceServer, platform, playground }
  const running = await startDataApi(options)
  tell(`data API ${seconds(starting)}`)
  return running
}

/** Starts the MCP server beside the data API, which has made the tables. */
const mcpServerFor = async (about: {
  issuer: string
  url: string
  seeded: Seeded
  postgres: DemoPostgres
}) => {
  const { issuer, url, seeded, postgres } = about
  const databaseUrl = await postgres.dataApiUrl()
  return startMcpServer({ issuer, url, databaseUrl, resourceServer: seeded.mcpServer })
}

const elsewhere = async ({ directory }: DemoOptions, postgres: DemoPostgres) =>
  postgres.directory === join(await realpath(directory), 'postgres') ? null : postgres.directory

type Closing = (() => Promise<unknown>)[]

const start = async (
  options: DemoOptions,
  postgres: DemoPostgres,
  closing: Closing,
): Promise<DemoAddresses> => {
  const { tell, directory } = options
  const started = performance.now()
  const port = await portFor(options)
  const homes = homesFrom(port)
  const { client: clientUrl, frames: framesUrl } = homes
  const config = configFor(port, clientUrl, options)
  const logger = options.logger ?? createLogger(config.logLevel)
  const app = await createLatchkey(config, logger, null, undefined, async (server) =>
    explainRefusals(server, config.issuer),
  )
  closing.push(app.close)
  const issuer = await app.listen()
  tell(`start    ${seconds(started)}`)

  const seeding = performance.now()
  const { operatorToken } = app
  const api = createOperatorApi({ url: issuer, token: operatorToken ?? '' })
  const seeded = await seedUnlessSeeded(api, { homes, directory })
  tell(`seed     ${seconds(seeding)}`)

  const url = homes.dataApi
  if (!hasDataApi()) tell('The data API is not built: `npm run demo` builds it.')
  const dataApi = hasDataApi() ? `${url}/graphql` : null
  const starting = dataApi ? dataApiFor(options, { issuer, url, seeded, postgres }) : null
  closing.push(async () => (await starting?.catch(() => null))?.close())
  const mcpUrl = homes.mcpServer
  const beside =
    starting && hasMcpServer()
      ? starting.then(() => mcpServerFor({ issuer, url: mcpUrl, seeded, postgres }))
      : null
  closing.push(async () => (await beside?.catch(() => null))?.close())

  const frames = await createFramedApps({ issuer, url: framesUrl, platform: clientUrl, seeded })
  closing.push(() => frames.close())
  await frames.listen({ port: port + 3, host: 'localhost' })
  const client = await createDemoClient({ issuer, url: clientUrl, framesUrl, seeded, dataApi })
  closing.push(() => client.close())
  await client.listen({ port: port + 1, host })

  const examples = dataApi ? await writeSettings({ issuer, dataApi, homes, seeded, directory }) : []
  const about = { issuer, dataApi, clientUrl, operatorToken, seeded, directory }
  const appEnv = await writeAppEnv(about)
  await writeMemory(directory, { port })
  await starting
  await beside
  return {
    issuer,
    client: clientUrl,
    dataApi,
    mcpServer: beside && { url: `${mcpUrl}/mcp`, clientId: seeded.apps.assistant.clientId },
    account: `${issuer}/account/apps`,
    console: `${issuer}/operator`,
    appEnv,
    examples,
    people: Object.values(people).map(({ email, part }) => ({ email, password, part })),
    directory,
    databaseElsewhere: await elsewhere(options, postgres),
  }
}

/**
 * Starts a server on embedded stores with sample users and apps, and a demo client.
 * @throws Error when the demo already runs, or the stores cannot start; nothing keeps running then
 */
export const startDemo = async (options: DemoOptions): Promise<RunningDemo> => {
  const postgres = await openDemoPostgres(options.directory)
  const closing: Closing = [postgres.stop]
  const close = async () => {
    for (const one of closing.splice(0).toReversed()) await one()
  }
  try {
    return { ...(await start(options, postgres, closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}
