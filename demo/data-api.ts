import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#dist/stores/embedded/launcher.js'
import { dataApiProgram } from './locations.ts'
import type { Platform } from './platform.ts'

export interface DataApiOptions {
  issuer: string
  url: string
  /** The directory of the demo, which contains its Postgres. */
  directory: string
  resourceServer: { clientId: string; clientSecret: string }
  platform: Platform
}

export interface RunningDataApi {
  close(): Promise<void>
}

const database = 'data_api'
const patienceMs = 5000

export const hasDataApi = () => existsSync(dataApiProgram)

/**
 * Opens a separate database beside the server's, in the same Postgres. Postgres runs as long as either of them uses it.
 */
const openPostgres = async (directory: string) => {
  const { connection, stop } = await startEmbeddedPostgres({ directory })
  const client = new pg.Client({ ...connection, ssl: false })
  await client.connect()
  const known = await client.query('select from pg_database where datname = $1', [database])
  if (!known.rowCount) await client.query(`create database ${database} template template0`)
  await client.end()
  const query = new URLSearchParams({ host: connection.host, port: String(connection.port) })
  return { url: `postgres://${connection.user}@/${database}?${query}`, stop }
}

/** Stops the data API. It exits when its channel closes, also when this process is killed. */
const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  if (child.connected) child.disconnect()
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await exited
  clearTimeout(late)
}

/**
 * Starts the data API of the examples as any user would: as a separate process, configured by its environment.
 * @throws Error when it does not start
 */
export const startDataApi = async (options: DataApiOptions): Promise<RunningDataApi> => {
  const { issuer, url, directory, resourceServer } = options
  const platform = join(directory, 'demo-platform.json')
  await writeFile(platform, `${JSON.stringify(options.platform, null, 2)}\n`)
  const postgres = await openPostgres(directory)
  const { hostname, port } = new URL(url)
  const child = fork(dataApiProgram, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      LATCHKEY_ISSUER: issuer,
      LATCHKEY_AUDIENCE: issuer,
      LATCHKEY_RESOURCE_SERVER_ID: resourceServer.clientId,
      LATCHKEY_RESOURCE_SERVER_SECRET: resourceServer.clientSecret,
      DATABASE_URL: postgres.url,
      PLATFORM: platform,
      PUBLIC_URL: url,
      HOST: hostname,
      PORT: port,
    },
  })
  const close = async () => {
    await end(child)
    await postgres.stop()
  }
  const ready = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  if (ready) return { close }
  await close()
  throw new Error('the data API did not start')
}
