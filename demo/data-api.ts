import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataApiProgram } from './locations.ts'
import type { Platform } from './platform.ts'

export interface DataApiOptions {
  issuer: string
  url: string
  /** The data directory of the demo. */
  directory: string
  /** The address of the data API's database. */
  databaseUrl: string
  resourceServer: { clientId: string; clientSecret: string }
  platform: Platform
}

export interface RunningDataApi {
  close(): Promise<void>
}

const patienceMs = 5000

export const hasDataApi = () => existsSync(dataApiProgram)

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
      DATABASE_URL: options.databaseUrl,
      PLATFORM: platform,
      PUBLIC_URL: url,
      HOST: hostname,
      PORT: port,
    },
  })
  const close = () => end(child)
  const ready = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  if (ready) return { close }
  await close()
  throw new Error('the data API did not start')
}
