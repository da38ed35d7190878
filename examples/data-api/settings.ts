import { readFile } from 'node:fs/promises'
import { readAttachmentSettings } from './data/attachments/settings.ts'
import type { PlatformSeed } from './data/seed.ts'
import type { DataApiOptions } from './server.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Settings extends DataApiOptions {
  host: string
  port: number
}

const required = [
  'LATCHKEY_ISSUER',
  'LATCHKEY_RESOURCE_SERVER_ID',
  'LATCHKEY_RESOURCE_SERVER_SECRET',
  'DATABASE_URL',
] as const

const platformAt = async (path: string | undefined): Promise<PlatformSeed | null> =>
  path === undefined ? null : JSON.parse(await readFile(path, 'utf8'))

/** Configuration comes from environment variables. @throws Error that names all missing ones */
export const readSettings = async (environment: Environment): Promise<Settings> => {
  const missing = required.filter((name) => !environment[name])
  if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`)
  const of = (name: (typeof required)[number]) => environment[name] as string
  const { HOST: host = '127.0.0.1', PORT = '3002' } = environment
  const issuer = of('LATCHKEY_ISSUER')
  const url = environment.PUBLIC_URL ?? `http://${host}:${PORT}`
  return {
    host,
    port: Number(PORT),
    url,
    databaseUrl: of('DATABASE_URL'),
    platform: await platformAt(environment.PLATFORM),
    attachments: readAttachmentSettings(environment, url),
    origins: (environment.ALLOWED_ORIGINS ?? '').split(',').filter(Boolean),
    playground: {
      current: environment.PLAYGROUND_CLIENT_ID ?? null,
      legacy: environment.PLAYGROUND_LEGACY_CLIENT_ID ?? null,
    },
    verifier: {
      issuer,
      audience: environment.LATCHKEY_AUDIENCE ?? issuer,
      resourceServer: {
        clientId: of('LATCHKEY_RESOURCE_SERVER_ID'),
        clientSecret: of('LATCHKEY_RESOURCE_SERVER_SECRET'),
      },
    },
  }
}
