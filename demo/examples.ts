import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoApp, type Homes, type Seeded, salesOf } from './seed.ts'

export interface ExamplesOptions {
  issuer: string
  /** The GraphQL address of the data API. */
  dataApi: string
  homes: Homes
  seeded: Seeded
  /** The data directory of the demo. */
  directory: string
}

type Settings = Readonly<Record<string, string>>

const clientOf = ({ clientId, clientSecret }: Pick<DemoApp, 'clientId' | 'clientSecret'>) => ({
  LATCHKEY_CLIENT_ID: clientId,
  ...(clientSecret !== null && { LATCHKEY_CLIENT_SECRET: clientSecret }),
})

/** Settings of each program in examples/, by the name of its folder. */
const settingsFor = (options: ExamplesOptions): Record<string, Settings> => {
  const { issuer, dataApi, homes, seeded } = options
  const { apps, keySet, acmeId } = seeded
  const sales = salesOf(seeded)
  const server = { LATCHKEY_ISSUER: issuer, DATA_API: dataApi }
  return {
    'web-app': { ...server, ...clientOf(apps.webApp), PUBLIC_URL: homes.webApp },
    'single-page-app': {
      ...server,
      ...clientOf(apps.singlePageApp),
      PUBLIC_URL: homes.singlePageApp,
    },
    'command-line': { ...server, ...clientOf(apps.commandLine) },
    'install-token-job': {
      ...server,
      ...clientOf(apps.installTokenJob),
      ORGANIZATION_ID: acmeId,
      WORKSPACE_ID: sales,
    },
    'key-set-script': { DATA_API: dataApi, ...clientOf(keySet) },
  }
}

/**
 * Writes a settings file for each example, readable only by its owner.
 * @returns the commands that start the examples from the root of the repository
 */
export const writeSettings = async (options: ExamplesOptions): Promise<string[]> => {
  const folder = join(options.directory, 'examples')
  await mkdir(folder, { recursive: true })
  return Promise.all(
    Object.entries(settingsFor(options)).map(async ([name, settings]) => {
      const path = join(folder, `${name}.env`)
      const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
      await writeFile(path, lines.join(''), { mode: 0o600 })
      await chmod(path, 0o600)
      return `node --env-file=${path} examples/${name}/main.mjs`
    }),
  )
}
