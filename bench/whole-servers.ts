import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { startChild } from './child.ts'
import { createDatabase, keptBytes } from './databases.ts'
import type { WholeServer } from './given-servers.ts'
import { type Candidate, connections, createMeasuring, type Measured } from './measure.ts'
import { startProgram } from './program.ts'
import { type Operation, operations } from './protocol.ts'
import { type Seeded, withSeededStores } from './seeded.ts'
import type { About } from './server-description.ts'
import { aboutTable, costsOf, type Growth, type ServerCost, serversTable } from './servers-table.ts'

export interface ServersReport {
  at: string
  versions: Record<string, string>
  cores: number
  connections: number
  plan: object
  /** What each server is, by its name. */
  abouts: Record<string, About | null>
  results: Measured[]
  costs: ServerCost[]
  growths: Growth[]
}

interface Stored extends Candidate {
  about: About | null
  operations: readonly Operation[]
  /** Its database in Postgres. */
  databaseUrl: string
  /** Users who have a session and a grant from the start. Ours has many, because it keeps only 100 grants of each. */
  seeded: number
}

const sizes = { apps: 200, organizations: 100, families: 4000 }
/** Each server has its own pool. */
const postgresSettings = { max_connections: '400' }

const ownVersion = async () => {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

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
    about: {
      version: await ownVersion(),
      runtime: `Node ${process.version}`,
      store: 'Postgres and Redis',
      algorithm: 'ES256',
    },
    operations,
    databaseUrl: seeded.stores.databaseUrl,
    seeded: sizes.families,
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
  const { about, operations: measured } = child
  return { name: given.name, child, about, operations: measured, databaseUrl, seeded: 0 }
}

const plans = {
  quick: { rounds: 1, seconds: 1, warmUpSeconds: 1, users: 64, codes: 128 },
  whole: { rounds: 3, seconds: 5, warmUpSeconds: 10, users: 320, codes: 1280 },
}

const compareRunning = async (
  { stores }: Seeded,
  candidates: readonly Stored[],
  { rounds, seconds, warmUpSeconds, users, codes }: typeof plans.whole,
) => {
  const measure = createMeasuring(stores)
  const results: Measured[] = []
  const growths: Growth[] = []

  /** All servers in turns, and every other round from the last to the first. Round 0 warms up. */
  const goRound = async (operation: Operation, round: number) => {
    const duration = round === 0 ? warmUpSeconds : seconds
    const able = candidates.filter((one) => one.operations.includes(operation))
    for (const one of round % 2 === 1 ? able : able.toReversed()) {
      // A round of codes ends with its codes; few are enough to warm up.
      const isCodes = operation === 'authorization_code'
      const shots = isCodes ? (round === 0 ? users : codes) : Math.max(users, one.seeded)
      const measured = await measure(one, operation, round, { seconds: duration, shots })
      if (round > 0) results.push(measured)
    }
  }
  const measureOperation = async (operation: Operation) => {
    console.error(`measuring ${operation}`)
    await goRound(operation, 0)
    const before = operation === 'refresh' ? await sizesNow() : []
    for (let round = 1; round <= rounds; round++) await goRound(operation, round)
    const after = operation === 'refresh' ? await sizesNow() : []
    for (const [at, bytes] of after.entries()) {
      const contender = (candidates[at] as Stored).name
      const refreshes = results
        .filter((one) => one.contender === contender && one.operation === operation)
        .reduce((sum, { requests }) => sum + requests, 0)
      growths.push({ contender, refreshes, bytes: bytes - (before[at] as number) })
    }
  }
  const sizesNow = () => Promise.all(candidates.map(({ databaseUrl }) => keptBytes(databaseUrl)))

  // Authorizations run last: Postgres vacuums the rows that they leave, which would disturb later operations.
  for (const operation of operations) await measureOperation(operation)
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
          abouts: Object.fromEntries(candidates.map(({ name, about }) => [name, about])),
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

export const printServers = ({ versions, cores, abouts, costs, growths }: ServersReport) => {
  const conditions = Object.entries(versions).map((pair) => pair.join(' '))
  console.log(`${conditions.join(', ')}; ${connections} connections, ${cores} cores\n`)
  console.log(`${aboutTable(abouts)}\n`)
  console.log(serversTable(costs, growths))
}
