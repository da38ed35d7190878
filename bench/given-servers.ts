/**
 * Whole servers of others, each measured where the variable `at` says where it is. `database`: its own database in
 * the Postgres that all of them share.
 */
export const wholeServers = [
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
] as const

export type WholeServer = (typeof wholeServers)[number]

/** The whole servers that the environment names. */
export const givenServers = (env: NodeJS.ProcessEnv): WholeServer[] =>
  wholeServers.filter(({ at }) => env[at])

export const noServerGiven = `no whole server to compare with: set HYDRA (the path of its program), KEYCLOAK_HOME (the
folder where it is unpacked and built), or both. docs/performance.md, "Whole servers", describes how to get them.`
