import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Grant } from '#dist/core/grants/grant.js'
import { createStandingStore } from '#dist/stores/postgres/authorization/standing.js'
import { type Database, openDatabase } from '#dist/stores/postgres/connection/database.js'
import { createGrantStore } from '#dist/stores/postgres/grants/grants.js'
import { createIntrospectionStore } from '#dist/stores/postgres/introspection/introspection.js'
import { codeChallenge, redirectUri } from './authorization.ts'
import { median } from './measure.ts'
import { sessionsOf } from './open-sessions.ts'
import { row } from './report.ts'
import type { Sample, SeededGrant } from './seed.ts'
import { type Seeded, withSeededStores } from './seeded.ts'

/** CPU of Postgres for one call of a store, in µs. */
export interface StatementCost {
  name: string
  /** One call for each statement. */
  alone: number
  /** Eight concurrent calls, which share a statement. */
  together: number
}

type Call = (grant: SeededGrant, clientId: string) => Promise<unknown>

const sizes = { apps: 500, organizations: 100, families: 4000 }
const together = 8
const rounds = 5

/** CPU of a process so far in µs (proc(5)). */
const cpuMicros = async (pid: number) =>
  Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1000

const seededGrant = (of: SeededGrant, clientId: string, installId: string): Grant => ({
  id: randomUUID(),
  userId: of.userId,
  clientId,
  organizationId: of.organizationId,
  installId,
  appEpoch: 0,
  userEpoch: 0,
  connectionEpoch: 0,
  permissions: ['records:create', 'records:update'],
  workspaceIds: null,
  redirectUri,
  codeChallenge,
  openidScopes: [],
  signIn: null,
  dpopJkt: null,
  lifetime: null,
})

/** Signs all users in. @returns the token of each */
const signIn = async (database: Database, { grants }: Sample) => {
  const { open } = sessionsOf(database)
  return new Map(
    await Promise.all(
      grants.map(async ({ userId }) => [userId, (await open(userId)) as string] as const),
    ),
  )
}

const callsOf = (
  database: Database,
  sample: Sample,
  tokens: ReadonlyMap<string, string>,
): Record<string, Call> => {
  const { keyOf } = sessionsOf(database)
  const standing = createStandingStore(database)
  const grants = createGrantStore(database)
  const introspection = createIntrospectionStore(database)
  const installs = new Map(
    sample.installs.map(({ app, organizationId, installId }) => [
      `${app} ${organizationId}`,
      installId,
    ]),
  )
  const asker = sample.resourceServer.clientId
  return {
    'empty query': () => database.query('select 1', [], 'empty'),
    'empty transaction': () => database.transaction((tx) => tx.query('select 1', [], 'empty')),
    'refresh, code: load_grant': ({ id }, clientId) => grants.loadGrant(clientId, id),
    'client_credentials: load_install': ({ organizationId }, clientId) =>
      grants.loadInstall(clientId, organizationId, null),
    'introspection: introspect_grant': ({ id }) =>
      introspection.grant(asker, id, randomUUID(), null),
    'authorize: standing': ({ userId }, clientId) =>
      standing.find(clientId, keyOf(tokens.get(userId) as string)),
    'authorize: insert_grant': (grant, clientId) => {
      const install = installs.get(`${grant.app} ${grant.organizationId}`) as string
      return grants.insert(seededGrant(grant, clientId, install), 100)
    },
  }
}

const measure = async ({ stores, env }: Seeded, statements: number): Promise<StatementCost[]> => {
  const sample = JSON.parse(await readFile(String(env.BENCH_SAMPLE), 'utf8')) as Sample
  const database = openDatabase({
    url: stores.databaseUrl,
    poolSize: 1,
    timeout: 30_000,
    onError: () => undefined,
  })
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const calls = callsOf(database, sample, await signIn(database, sample))
  await stores.settle()
  let at = 0
  const once = (call: Call) => {
    const grant = sample.grants[at++ % sample.grants.length] as SeededGrant
    return call(grant, sample.apps[grant.app]?.clientId as string)
  }
  const costOf = async (call: Call, many: number) => {
    const before = await cpuMicros(pid)
    for (let sent = 0; sent < statements; sent++)
      await Promise.all(Array.from({ length: many }, () => once(call)))
    return ((await cpuMicros(pid)) - before) / statements / many
  }
  const found: StatementCost[] = []
  try {
    for (const [name, call] of Object.entries(calls)) {
      await costOf(call, 1) // After five executions Postgres may keep a plan.
      const costs: StatementCost[] = []
      for (let round = 0; round < rounds; round++)
        costs.push({ name, alone: await costOf(call, 1), together: await costOf(call, together) })
      found.push({
        name,
        alone: median(costs.map((cost) => cost.alone)),
        together: median(costs.map((cost) => cost.together)),
      })
    }
  } finally {
    await database.close()
  }
  return found
}

/** Measures what each statement of the main requests costs Postgres. */
export const measureStatements = (quick: boolean): Promise<StatementCost[]> =>
  withSeededStores(sizes, (seeded) => measure(seeded, quick ? 100 : 1000))

const widths = [38, 10, 16]

export const printStatements = (costs: readonly StatementCost[]) => {
  row(widths, ['CPU µs of Postgres per call', 'alone', 'eight together'])
  for (const { name, alone, together } of costs)
    row(widths, [name, alone.toFixed(0), together.toFixed(0)])
}
