import { resolve } from 'node:path'
import { readDescription } from './server-description.ts'

export interface WholeServer {
  name: string
  /** File below servers/, without its extension. */
  script: string
  database: string
  env: NodeJS.ProcessEnv
}

/**
 * Whole servers of others, each measured where the variable `at` says where it is. `database`: its own database in
 * the Postgres that all of them share.
 */
const wholeServers = [
  {
    name: 'Hydra, opaque, cheap hash',
    script: 'hydra',
    at: 'HYDRA',
    database: 'hydra_opaque',
    env: { BENCH_HYDRA_TOKENS: 'opaque', BENCH_HYDRA_ITERATIONS: '1' },
  },
  {
    name: 'Hydra, JWT, cheap hash',
    script: 'hydra',
    at: 'HYDRA',
    database: 'hydra_jwt',
    env: { BENCH_HYDRA_TOKENS: 'jwt', BENCH_HYDRA_ITERATIONS: '1' },
  },
  {
    name: 'Hydra as shipped',
    script: 'hydra',
    at: 'HYDRA',
    database: 'hydra_shipped',
    env: { BENCH_HYDRA_TOKENS: 'opaque' },
  },
  {
    name: 'Keycloak',
    script: 'keycloak',
    at: 'KEYCLOAK_HOME',
    database: 'keycloak',
    env: {},
  },
] satisfies (WholeServer & { at: string })[]

/** The whole servers that the environment names. */
export const givenServers = (env: NodeJS.ProcessEnv): WholeServer[] =>
  wholeServers.filter(({ at }) => env[at])

/**
 * Servers that files describe.
 * @throws Error that names a variable which does not say where its program is
 */
export const describedServers = (files: readonly string[], env: NodeJS.ProcessEnv) =>
  Promise.all(
    files.map(async (file, at): Promise<WholeServer> => {
      const { name, program } = await readDescription(file)
      if (!env[program]) throw new Error(`${file}: set ${program} to the path of the program`)
      const database = `described_${at}`
      return { name, script: 'described', database, env: { BENCH_DESCRIPTION: resolve(file) } }
    }),
  )

export const noServerGiven = `no whole server to compare with: set HYDRA (the path of its program), KEYCLOAK_HOME (the folder
where it is unpacked and built), or both, or describe another one with --server <file>.
docs/performance-servers.md describes how to get them.`
