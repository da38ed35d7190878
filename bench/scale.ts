import pg from 'pg'
import { type Running, startContenders } from './contenders.ts'
import { createMeasuring, type Measured, median } from './measure.ts'
import { type Operation, operations } from './protocol.ts'
import { row } from './report.ts'
import { withSeededStores } from './seeded.ts'

/** The costs with this many apps, installs and families. */
export interface Step {
  size: number
  /** CPU of the server process in µs per request. */
  cpuMicros: Partial<Record<Operation, number>>
  /** The same as multiples of the cost with the smallest stores, measured alternately. */
  relative: Partial<Record<Operation, number>>
  /** Bytes: of a new family in Redis, of the whole database, and of the server process. */
  redisPerFamily: number
  postgres: number
  rss: number
}

const smallest = 1000
const rounds = 9
const seconds = 1.5

const databaseSize = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ size: string }>(
    'select pg_database_size(current_database()) as size',
  )
  await client.end()
  return Number(rows[0]?.size)
}

const sizesOf = (size: number) => ({
  apps: size,
  organizations: Math.max(100, size / 10),
  families: size,
})

/** Our server on stores of one size. */
interface Sized {
  size: number
  measure(operation: Operation, round: number): Promise<Measured>
  /** Bytes. */
  redisPerFamily: number
  databaseUrl: string
}

const withSized = <Result>(size: number, work: (sized: Sized) => Promise<Result>) =>
  withSeededStores(sizesOf(size), async ({ stores, env }) => {
    const redisPerFamily = (await stores.redisMemory()) / size
    const running = await startContenders(env, ['ours'])
    const measure = createMeasuring(stores)
    const shotsOf = (operation: Operation) =>
      operation === 'authorization_code' ? seconds * 6000 : 20_000
    try {
      return await work({
        size,
        measure: (operation, round) =>
          measure(running[0] as Running, operation, round, {
            seconds,
            shots: shotsOf(operation),
          }),
        redisPerFamily,
        databaseUrl: stores.databaseUrl,
      })
    } finally {
      await Promise.all(running.map(({ child }) => child.stop()))
    }
  })

type Costs = Partial<Record<Operation, number>>

const costsOf = (of: (operation: Operation) => number): Costs =>
  Object.fromEntries(operations.map((one) => [one, of(one)]))

/** Measures both alternately, so that disturbances of the machine affect both. */
const compareSizes = async (small: Sized, large: Sized): Promise<[Step, Step]> => {
  const found: Measured[][] = [[], []]
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const operation of operations) {
      for (const [at, sized] of [small, large].entries()) {
        const measured = await sized.measure(operation, round)
        if (round > 0) found[at]?.push(measured)
      }
    }
  }
  const costs = found.map((all) =>
    costsOf((operation) =>
      median(all.filter((one) => one.operation === operation).map(({ cpuMicros }) => cpuMicros)),
    ),
  ) as [Costs, Costs]
  const stepOf = async (
    at: 0 | 1,
    { size, redisPerFamily, databaseUrl }: Sized,
  ): Promise<Step> => ({
    size,
    cpuMicros: costs[at],
    relative: costsOf((one) => (costs[at][one] ?? Number.NaN) / (costs[0][one] ?? Number.NaN)),
    redisPerFamily,
    postgres: await databaseSize(databaseUrl),
    rss: Math.max(...(found[at] ?? []).map(({ rss }) => rss)),
  })
  return [await stepOf(0, small), await stepOf(1, large)]
}

const widths = [10, 20, 13, 20, 15, 12, 12, 10]
const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)

const print = ({ size, cpuMicros, relative, redisPerFamily, postgres, rss }: Step) =>
  row(widths, [
    String(size),
    ...operations.map((one) => `${cpuMicros[one]?.toFixed(1)} (${relative[one]?.toFixed(2)})`),
    redisPerFamily.toFixed(0),
    megabytes(postgres),
    megabytes(rss),
  ])

/** Grows apps, installs and families tenfold per step, and prints each step as soon as it is measured. */
export const scale = async (largest: number): Promise<Step[]> => {
  console.log(
    `CPU µs of the server process per request (multiples of the cost with ${smallest} of each, measured alternately)\n`,
  )
  row(widths, ['each of', ...operations, 'Redis B/family', 'Postgres MB', 'RSS MB'])
  const steps: Step[] = []
  await withSized(smallest, async (small) => {
    for (let size = smallest * 10; size <= largest; size *= 10) {
      const [first, step] = await withSized(size, (large) => compareSizes(small, large))
      if (steps.length === 0) {
        steps.push(first)
        print(first)
      }
      steps.push(step)
      print(step)
    }
  })
  return steps
}
