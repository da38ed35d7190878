import pg from 'pg'
import { type Contender, startContenders } from './contenders.ts'
import { createMeasuring, median } from './measure.ts'
import { type Operation, operations } from './protocol.ts'
import { row } from './report.ts'
import { withSeededStores } from './seeded.ts'

/** What it costs to have so many apps, installs and families. */
export interface Step {
  size: number
  /** CPU of the server process in µs a request. */
  cpuMicros: Partial<Record<Operation, number>>
  /** The same as multiples of what a request without any store cost at that moment: what the machine does is in both. */
  relative: Partial<Record<Operation, number>>
  /** Bytes: of a family in Redis that was just begun; of everything in Postgres; of the server process. */
  redisPerFamily: number
  postgres: number
  rss: number
}

const rounds = 3
const seconds = 3
/** Of it, client_credentials: the form, a signature, the answer. */
const yardstick: Contender = 'floor without SQL'
const yardstickSeconds = 1

const databaseSize = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ size: string }>(
    'select pg_database_size(current_database()) as size',
  )
  await client.end()
  return Number(rows[0]?.size)
}

const measureAt = (size: number): Promise<Step> =>
  withSeededStores(
    { apps: size, organizations: Math.max(100, size / 10), families: size },
    async ({ stores, env }) => {
      const redisPerFamily = (await stores.redisMemory()) / size
      const running = await startContenders(env, ['ours', yardstick])
      try {
        const [ours, floor] = ['ours', yardstick].map((name) =>
          running.find((one) => one.name === name),
        )
        if (!ours || !floor) throw new Error('there is no server')
        const measure = createMeasuring(stores)
        const found = new Map<Operation, { cpuMicros: number; relative: number }[]>(
          operations.map((one) => [one, []]),
        )
        let rss = 0
        for (let round = 0; round <= rounds; round++) {
          for (const operation of operations) {
            const few = { seconds: yardstickSeconds, shots: 20_000 }
            const now = await measure(floor, 'client_credentials', round, few)
            const shots = operation === 'authorization_code' ? seconds * 6000 : 20_000
            const measured = await measure(ours, operation, round, { seconds, shots })
            rss = Math.max(rss, measured.rss)
            const { cpuMicros } = measured
            if (round > 0)
              found.get(operation)?.push({ cpuMicros, relative: cpuMicros / now.cpuMicros })
          }
        }
        const middle = (what: 'cpuMicros' | 'relative') =>
          Object.fromEntries(
            [...found].map(([name, all]) => [name, median(all.map((one) => one[what]))]),
          )
        return {
          size,
          cpuMicros: middle('cpuMicros'),
          relative: middle('relative'),
          redisPerFamily,
          postgres: await databaseSize(stores.databaseUrl),
          rss,
        }
      } finally {
        await Promise.all(running.map(({ child }) => child.stop()))
      }
    },
  )

const widths = [10, 20, 13, 20, 15, 12, 12, 10]
const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)

/** Grows apps, installs and families, each by ten, and prints each step as soon as it is known. */
export const scale = async (largest: number): Promise<Step[]> => {
  console.log(
    `CPU µs of the server process for each request (multiples of ${yardstick}, client_credentials)\n`,
  )
  row(widths, ['each of', ...operations, 'Redis B/family', 'Postgres MB', 'RSS MB'])
  const steps: Step[] = []
  for (let size = 1000; size <= largest; size *= 10) {
    const step = await measureAt(size)
    steps.push(step)
    row(widths, [
      String(size),
      ...operations.map(
        (one) => `${step.cpuMicros[one]?.toFixed(1)} (${step.relative[one]?.toFixed(2)})`,
      ),
      step.redisPerFamily.toFixed(0),
      megabytes(step.postgres),
      megabytes(step.rss),
    ])
  }
  const [first, last] = [steps[0], steps.at(-1)]
  for (const operation of operations) {
    const change = (last?.relative[operation] ?? 0) / (first?.relative[operation] ?? 1)
    console.log(`${operation}: ${change.toFixed(2)} of the first step's multiple at the last`)
  }
  return steps
}
