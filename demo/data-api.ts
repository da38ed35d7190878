import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningProgram, startProgram } from './child-program.ts'
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
  /** The client ids of the playground. */
  playground: { current: string; legacy: string }
}

export const hasDataApi = () => existsSync(dataApiProgram)

/** Starts the data API of the examples. @throws Error when it does not start */
export const startDataApi = async (options: DataApiOptions): Promise<RunningProgram> => {
  const { issuer, url, directory, resourceServer } = options
  const platform = join(directory, 'demo-platform.json')
  await writeFile(platform, `${JSON.stringify(options.platform, null, 2)}\n`)
  const { hostname, port } = new URL(url)
  return startProgram('data API', dataApiProgram, {
    LATCHKEY_ISSUER: issuer,
    LATCHKEY_AUDIENCE: issuer,
    LATCHKEY_RESOURCE_SERVER_ID: resourceServer.clientId,
    LATCHKEY_RESOURCE_SERVER_SECRET: resourceServer.clientSecret,
    DATABASE_URL: options.databaseUrl,
    PLATFORM: platform,
    PLAYGROUND_CLIENT_ID: options.playground.current,
    PLAYGROUND_LEGACY_CLIENT_ID: options.playground.legacy,
    PUBLIC_URL: url,
    ATTACHMENTS_DIRECTORY: join(directory, 'data-api-attachments'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    HOST: hostname,
    PORT: port,
  })
}
