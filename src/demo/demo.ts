import { join } from 'node:path'
import { createLatchkey } from '../app/app.ts'
import { createLogger } from '../app/log.ts'
import { createOperatorApi } from '../cli/operator-api.ts'
import { readConfig } from '../config/config.ts'
import { password, people } from './cast.ts'
import { createDemoClient } from './client/client.ts'
import { createFramedApps } from './client/framed-apps.ts'
import { hasDataApi, startDataApi } from './data-api.ts'
import { writeSettings } from './examples.ts'
import { freePorts, portsNeeded } from './ports.ts'
import { type Homes, type Seeded, seed } from './seed.ts'

export interface DemoOptions {
  /** Where to begin looking for free neighbouring ports. */
  port: number
  /** Its own data, apart from a real installation's. */
  directory: string
  /** One line about a step that is done. */
  tell(line: string): void
  logLevel?: string
}

/** Where everything is, and how to get in. */
export interface DemoAddresses {
  issuer: string
  client: string
  /** null when it was not built. */
  dataApi: string | null
  account: string
  /** How to start those of examples/ that want the data API; none without it. */
  examples: string[]
  people: { email: string; password: string; part: string }[]
}

export interface RunningDemo extends DemoAddresses {
  close(): Promise<void>
}

const host = '127.0.0.1'

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The demo's environment is its own: it never touches a database that a real server uses. */
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
    tell(`Ports from ${wanted} on are taken, so ${port} to ${port + portsNeeded - 1} it is.`)
  return port
}

// Another name for this machine is another site: its pages get no cookie of ours in a frame.
const homesFrom = (port: number): Homes => ({
  client: `http://${host}:${port + 1}`,
  frames: `http://localhost:${port + 3}`,
  webApp: `http://${host}:${port + 4}`,
  singlePageApp: `http://${host}:${port + 5}`,
})

/** Takes its own use of the server's Postgres, so it is closed before the server is. */
const dataApiFor = async (
  { directory, tell }: DemoOptions,
  { issuer, url, seeded }: { issuer: string; url: string; seeded: Seeded },
) => {
  if (!hasDataApi()) {
    tell('There is no data API: `npm run demo` builds it.')
    return null
  }
  const starting = performance.now()
  const { resourceServer, platform } = seeded
  const running = await startDataApi({ issuer, url, directory, resourceServer, platform })
  tell(`data API ${seconds(starting)}`)
  return { ...running, graphql: `${url}/graphql` }
}

/**
 * Starts a server on embedded stores with people and apps in it, and a client to click through.
 * @throws Error when the ports are taken or the stores cannot start; nothing keeps running then
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
