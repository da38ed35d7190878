import { cpus } from 'node:os'
import { startChild } from './child.ts'
import { createDatabase, keptBytes } from './databases.ts'
import type { WholeServer } from './given-servers.ts'
import { type Candidate, connections, createMeasuring, type Measured } from './measure.ts'
import { startProgram } from './program.ts'
import type { Operation } from './protocol.ts'
import { type Seeded, withSeededStores } from './seeded.ts'
import { costsOf, type Growth, type ServerCost, serversTable } from './servers-table.ts'

export interface ServersReport {
  at: string
  versions: Record<string, string>
  cores: number
  connections: number
  plan: object
  results: Measured[]
  costs: ServerCost[]
  growths: Growth[]
}

/** A server and its database in Postgres. */
type Stored = Candidate & { databaseUrl: string }

const sizes = { apps: 200, organizations: 100, families: 4000 }
/** Each server has its own pool. */
const postgresSettings = { max_connections: '400' }

/** The built server as operators start it, observed from outside like the others. */
const startOurs = async (seeded: Seeded): Promise<Stored> => {
  const server = await startProgram(seeded)
  const maker = await startChild('ours-requests', {
    ...seeded.env,
    BENCH_PORT: String(server.port),
  })
  const stop = async () => {
    await maker.stop()
    await server.stop()
  }
  const usage = async () => ({ cpuMicros: server.cpuMs() * 1000, rss: server.rss() })
  const { prepare } = maker
  return {
    name: 'ours',
    child: { port: server.port, prepare, usage, stop },
    databaseUrl: seeded.stores.databaseUrl,
  }
}

const startGiven = async ({ stores, env }: Seeded, given: WholeServer): Promise<Stored> => {
  const databaseUrl = await createDatabase(stores.databaseUrl, given.database)
  console.error(`starting ${given.name}`)
  const child = await startChild(given.script, {
    ...env,
    ...given.env,
    BENCH_DATABASE_URL: databaseUrl,
  })
  return { name: given.name, child, databaseUrl }
}

const plans = {
  quick: { rounds: 1, seconds: 1, warmUpSeconds: 1, users: 64, codes: 128 },
  whole: { rounds: 3, seconds: 5, warmUpSeconds: 10, users: 320, codes: 1920 },
}

const compareRunning = async (
  { stores }: Seeded,
  candidates: readonly Stored[],
  { rounds, seconds, warmUpSeconds, users, codes }: typeof plans.whole,
) => {
  const measure = createMeasuring(stores)
  const results: Measured[] = []
  const growths: Growth[] = []

  const goRound = async (operation: Operation, round: number) => {
    const load = {
      seconds: round === 0 ? warmUpSeconds : seconds,
      shots: operation === 'authorization_code' ? codes : users,
    }
    const all: Measured[] = []
    for (const one of candidates) all.push(await measure(one, operation, round, load))
    return all
  }
  /** All servers in turns. Round 0 warms up. */
  const measureAll = async (operation: Operation) => {
    console.error(`measuring ${operation}`)
    const all: Measured[] = []
    for (let round = 0; round <= rounds; round++) all.push(...(await goRound(operation, round)))
    results.push(...all.filter(({ round }) => round > 0))
    return all
  }
  const sizesNow = () => Promise.all(candidates.map(({ databaseUrl }) => keptBytes(databaseUrl)))

  await measureAll('client_credentials')
  // Prepares the chains, so that the growth has only refreshes.
  await goRound('refresh', 0)
  const before = await sizesNow()
  const refreshed = await measureAll('refresh')
  const after = await sizesNow()
  for (const [at, { name }] of candidates.entries()) {
    const runs = refreshed.filter(({ contender }) => contender === name)
    const refreshes = runs.reduce((sum, { requests }) => sum + requests, 0)
    const bytes = (after[at] as number) - (before[at] as number)
    growths.push({ contender: name, refreshes, bytes })
  }
  for (const operation of ['introspection', 'authorization_code', 'authorize'] as const)
    await measureAll(operation)
  return { results, growths }
}

/** Measures whole servers beside ours, which always takes part. */
export const compareServers = async (
  given: readonly WholeServer[],
  quick: boolean,
): Promise<ServersReport> => {
  const plan = quick ? plans.quick : plans.whole
  return withSeededStores(
    sizes,
    async (seeded) => {
      const candidates: Stored[] = []
      try {
        candidates.push(await startOurs(seeded))
        for (const one of given) candidates.push(await startGiven(seeded, one))
        const { results, growths } = await compareRunning(seeded, candidates, plan)
        return {
          at: new Date().toISOString(),
          versions: seeded.stores.versions,
          cores: cpus().length,
          connections,
          plan,
          results,
          costs: costsOf(results),
          growths,
        }
      } finally {
        await Promise.all(candidates.map(({ child }) => child.stop()))
      }
    },
    postgresSettings,
  )
}

export const printServers = ({ versions, cores, costs, growths }: ServersReport) => {
  const conditions = Object.entries(versions).map((pair) => pair.join(' '))
  console.log(`${conditions.join(', ')}; ${connections} connections, ${cores} cores\n`)
  console.log(serversTable(costs, growths))
}
