import { type McpServerOptions, path } from './server.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Settings extends McpServerOptions {
  host: string
  port: number
}

const required = [
  'LATCHKEY_ISSUER',
  'LATCHKEY_RESOURCE_SERVER_ID',
  'LATCHKEY_RESOURCE_SERVER_SECRET',
  'DATABASE_URL',
] as const

/** Configuration comes from environment variables. @throws Error that names all missing ones */
export const readSettings = (environment: Environment): Settings => {
  const missing = required.filter((name) => !environment[name])
  if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`)
  const of = (name: (typeof required)[number]) => environment[name] as string
  const { HOST: host = '127.0.0.1', PORT = '3006' } = environment
  const url = environment.PUBLIC_URL ?? `http://${host}:${PORT}`
  return {
    host,
    port: Number(PORT),
    url,
    databaseUrl: of('DATABASE_URL'),
    platform: null,
    verifier: {
      issuer: of('LATCHKEY_ISSUER'),
      audience: environment.LATCHKEY_AUDIENCE ?? `${url}${path}`,
      resourceServer: {
        clientId: of('LATCHKEY_RESOURCE_SERVER_ID'),
        clientSecret: of('LATCHKEY_RESOURCE_SERVER_SECRET'),
      },
    },
  }
}
