import { join } from 'node:path'
import { createLatchkey } from '#dist/app/app.js'
import { createLogger } from '#dist/app/log.js'
import { createOperatorApi } from '#dist/cli/operator-api.js'
import { readConfig } from '#dist/config/config.js'
import { password, people } from './cast.ts'
import { createDemoClient } from './client/client.ts'
import { createFramedApps } from './client/framed-apps.ts'
import { hasDataApi, startDataApi } from './data-api.ts'
import { writeSettings } from './examples.ts'
import { freePorts, portsNeeded } from './ports.ts'
import { type Homes, type Seeded, seed } from './seed.ts'

export interface DemoOptions {
  /** The first port to try for a range of free ports. */
  port: number
  /** The data directory of the demo, separate from a real installation. */
  directory: string
  /** Receives one line per finished step. */
  tell(line: string): void
  logLevel?: string
}

/** The addresses of the demo and its sign-ins. */
export interface DemoAddresses {
  issuer: string
  client: string
  /** null when it was not built. */
  dataApi: string | null
  account: string
  /** Commands that start the examples which need the data API; empty without it. */
  examples: string[]
  people: { email: string; password: string; part: string }[]
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
    LATCHKEY_DATA: directory,
    PLATFORM_ORIGINS: platform,
    LOG_LEVEL: logLevel ?? 'error',
  })

const portFor = async ({ port: wanted, tell }: DemoOptions): Promise<number> => {
  const port = await freePorts(wanted)
  if (port !== wanted)
    tell(`Ports from ${wanted} on are in use. The demo uses ${port} to ${port + portsNeeded - 1}.`)
  return port
}

// Another host name makes another site: its pages in a frame get no cookies of ours.
const homesFrom = (port: number): Homes => ({
  client: `http://${host}:${port + 1}`,
  frames: `http://localhost:${port + 3}`,
  webApp: `http://${host}:${port + 4}`,
  singlePageApp: `http://${host}:${port + 5}`,
})

/** Starts the data API. It uses the server's Postgres, so it must be closed before the server. */
const dataApiFor = async (
  { directory, tell }: DemoOptions,
  { issuer, url, seeded }: { issuer: string; url: string; seeded: Seeded },
) => {
  if (!hasDataApi()) {
    tell('The data API is not built: `npm run demo` builds it.')
    return null
  }
  const starting = performance.now()
  const { resourceServer, platform } = seeded
  const running = await startDataApi({ issuer, url, directory, resourceServer, platform })
  tell(`data API ${seconds(starting)}`)
  return { ...running, graphql: `${url}/graphql` }
}

/**
 * Starts a server on embedded stores with sample users and apps, and a demo client.
 * @throws Error when the ports are in use or the stores cannot start; nothing keeps running then
 */
export const startDemo = async (options: DemoOptions): Promise<RunningDemo> => {
  const { tell } = options
  const port = await portFor(options)
  const homes = homesFrom(port)
  const { client: clientUrl, frames: framesUrl } = homes

  const started = performance.now()
  const config = configFor(port, clientUrl, options)
  const app = await createLatchkey(config, createLogger(config.logLevel))
  const closing = [app.close]
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const issuer = await app.listen()
    tell(`start    ${seconds(started)}`)

    const seeding = performance.now()
    const api = createOperatorApi({ url: issuer, token: app.operatorToken ?? '' })
    const secretsPath = join(options.directory, 'demo-apps.json')
    const seeded = await seed(api, { homes, secretsPath })
    tell(`seed     ${seconds(seeding)}`)

    const url = `http://${host}:${port + 2}`
    const running = await dataApiFor(options, { issuer, url, seeded })
    if (running) closing.push(running.close)
    const dataApi = running?.graphql ?? null
    const { directory } = options
    const examples = dataApi
      ? await writeSettings({ issuer, dataApi, homes, seeded, directory })
      : []

    const frames = await createFramedApps({ issuer, url: framesUrl, platform: clientUrl, seeded })
    closing.push(() => frames.close())
    await frames.listen({ port: port + 3, host: 'localhost' })

    const client = await createDemoClient({ issuer, url: clientUrl, framesUrl, seeded, dataApi })
    closing.push(() => client.close())
    await client.listen({ port: port + 1, host })
    return {
      issuer,
      client: clientUrl,
      dataApi,
      account: `${issuer}/account/apps`,
      examples,
      people: Object.values(people).map(({ email, part }) => ({ email, password, part })),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
