// The cost of a token request: the floor (same I/O, no rules), other servers as shipped, and ours.
import { type Observation, startObserving } from './observing.ts'
import { type Shares, startProfile } from './profiling.ts'
import type { About } from './server-description.ts'

/** Operations of programs: the request is a form, and the answer is JSON. */
export const programOperations = [
  'client_credentials',
  'refresh',
  'authorization_code',
  'introspection',
] as const

/** The measured operations. `authorize`: a signed-in user returns to an app with consent, and the answer has a code. */
export const operations = [...programOperations, 'authorize'] as const
export type Operation = (typeof operations)[number]

/** A request of the load generator. A refresh continues with the token of its answer. */
export interface Shot {
  path: string
  headers: Record<string, string>
  /**
   * The form. In a chain, `{token}` stands for the refresh token of the last answer. null: the request is a GET, and
   * the answer redirects to the app with a code.
   */
  body: string | null
  /** The first refresh token of a chain. */
  token?: string
  /** Port, if it is not that of the server: introspection is an administrative operation of some servers. */
  port?: number
  /** The GET goes through the pages for sign-in and consent, as a browser does: redirects are followed, cookies kept. */
  follow?: true
}

/** Orders of the measuring process to a server under test. */
export type Order =
  | { type: 'prepare'; operation: Operation; count: number }
  | { type: 'usage' }
  | { type: 'profile' }
  | { type: 'shares' }
  | { type: 'observe' }
  | { type: 'observation' }
  | { type: 'stop' }

/** Reports of the server. CPU in µs since process start, memory in bytes, times in ms. */
export type Report =
  | {
      type: 'listening'
      port: number
      startMs: number
      operations: Operation[]
      about: About | null
    }
  | { type: 'prepared'; shots: Shot[] }
  | { type: 'usage'; cpuMicros: number; rss: number }
  | { type: 'profiling' }
  | { type: 'shares'; shares: Shares }
  | { type: 'observing' }
  | { type: 'observation'; observation: Observation | null }
  | { type: 'failed'; message: string }

/** Settings of a server under test, from its environment. */
export interface BenchEnvironment {
  databaseUrl: string
  redisUrl: string
  masterKey: string
  /** File with a sample of the seeded data. */
  sample: string
  /** Port of the server for which requests are prepared; 0: none. */
  port: number
}

export const environmentOf = (): BenchEnvironment => ({
  databaseUrl: process.env.BENCH_DATABASE_URL ?? '',
  redisUrl: process.env.BENCH_REDIS_URL ?? '',
  masterKey: process.env.BENCH_MASTER_KEY ?? '',
  sample: process.env.BENCH_SAMPLE ?? '',
  port: Number(process.env.BENCH_PORT ?? 0),
})

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
export const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const ownUsage = () => {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rss: process.memoryUsage.rss() }
}

/** Runs a server under test in this process, controlled by the parent. */
export const serve = async (server: {
  operations: readonly Operation[]
  /** @returns the port */
  start(): Promise<number>
  prepare(operation: Operation, count: number): Promise<Shot[]>
  stop(): Promise<void>
  /** CPU in µs and memory in bytes of the measured server, if it is another process. */
  usage?(): { cpuMicros: number; rss: number }
  /** What a table of servers says of it; absent: the server is in no such table. */
  about?(): Promise<About>
}) => {
  const send = (report: Report) => process.send?.(report)
  const began = performance.now()
  let endProfile: (() => Promise<Shares>) | null = null
  let endObserving: (() => Promise<Observation>) | null = null
  const obey = async (order: Order) => {
    if (order.type === 'usage') {
      send({ type: 'usage', ...(server.usage ?? ownUsage)() })
    } else if (order.type === 'profile') {
      endProfile = await startProfile()
      send({ type: 'profiling' })
    } else if (order.type === 'shares') {
      send({ type: 'shares', shares: (await endProfile?.()) ?? {} })
    } else if (order.type === 'observe') {
      endObserving = await startObserving()
      send({ type: 'observing' })
    } else if (order.type === 'observation') {
      send({ type: 'observation', observation: (await endObserving?.()) ?? null })
    } else if (order.type === 'prepare') {
      const shots = await server.prepare(order.operation, order.count)
      send({ type: 'prepared', shots })
      // Garbage of the preparation must not be part of the measurement.
      globalThis.gc?.()
    } else {
      await server.stop()
      process.disconnect?.()
    }
  }
  process.on('message', (order: Order) => {
    obey(order).catch((error) => send({ type: 'failed', message: String(error?.stack ?? error) }))
  })
  try {
    const port = await server.start()
    const startMs = performance.now() - began
    const about = (await server.about?.()) ?? null
    send({ type: 'listening', port, startMs, operations: [...server.operations], about })
  } catch (error) {
    send({ type: 'failed', message: String((error as Error).stack ?? error) })
  }
}
