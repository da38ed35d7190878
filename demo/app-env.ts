import { join, resolve } from 'node:path'
import { password, people } from './cast.ts'
import { writePrivately } from './memory.ts'
import { type Seeded, salesOf } from './seed.ts'

export interface AppEnvOptions {
  issuer: string
  /** The GraphQL address of the data API; null when it was not built. */
  dataApi: string | null
  /** The address of the demo client. */
  clientUrl: string
  operatorToken: string | null
  seeded: Seeded
  /** The data directory of the demo. */
  directory: string
}

const appEnvIn = (directory: string) => join(directory, 'app.env')

/** The variables that the samples of the documentation use, by their names there. */
const variablesFor = (options: AppEnvOptions): Record<string, string> => {
  const { issuer, dataApi, clientUrl, operatorToken, seeded, directory } = options
  const { samples, publicSamples, legacySamples, successorSamples } = seeded.apps
  return {
    ISSUER: issuer,
    CLIENT_ID: samples.clientId,
    CLIENT_SECRET: samples.clientSecret ?? '',
    REDIRECT_URI: samples.redirectUri,
    SIGNED_OUT_URI: `${clientUrl}/`,
    PUBLIC_CLIENT_ID: publicSamples.clientId,
    LEGACY_CLIENT_ID: legacySamples.clientId,
    LEGACY_CLIENT_SECRET: legacySamples.clientSecret ?? '',
    SUCCESSOR_CLIENT_ID: successorSamples.clientId,
    SUCCESSOR_CLIENT_SECRET: successorSamples.clientSecret ?? '',
    ORGANIZATION_ID: seeded.acmeId,
    WORKSPACE_ID: salesOf(seeded),
    USER_ID: seeded.userIds.ana,
    USER_EMAIL: people.ana.email,
    USER_PASSWORD: password,
    KEY_SET_ID: seeded.keySet.clientId,
    KEY_SET_SECRET: seeded.keySet.clientSecret,
    RS_ID: seeded.resourceServer.clientId,
    RS_SECRET: seeded.resourceServer.clientSecret,
    AUDIENCE: issuer,
    ...(dataApi !== null && { DATA_API: dataApi }),
    LATCHKEY_URL: issuer,
    LATCHKEY_DATA: resolve(directory),
    ...(operatorToken !== null && { LATCHKEY_OPERATOR_TOKEN: operatorToken }),
  }
}

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`

/**
 * Writes `app.env`, a file for the shell that sets the variables of the documentation's samples. Only its owner can read
 * it.
 * @returns its path
 */
export const writeAppEnv = async (options: AppEnvOptions): Promise<string> => {
  const path = appEnvIn(options.directory)
  const lines = [
    `# The variables of the documentation for the running demo. In a shell: . ${path}`,
    ...Object.entries(variablesFor(options)).map(
      ([name, value]) => `export ${name}=${quoted(value)}`,
    ),
  ]
  await writePrivately(path, `${lines.join('\n')}\n`)
  return path
}
