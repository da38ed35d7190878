// What lives here: what a token request costs: the floor (same I/O, no rules), peers as shipped, and ours.

/** What programs ask for: the request is a form, and the answer is JSON. */
export const programOperations = [
  'client_credentials',
  'refresh',
  'authorization_code',
  'introspection',
] as const

/** What is measured. `authorize`: a signed-in person comes again for an app that has consent; the answer has a code. */
export const operations = [...programOperations, 'authorize'] as const
export type Operation = (typeof operations)[number]

/** A request that the load generator sends; a refresh goes on with the token of its answer. */
export interface Shot {
  path: string
  headers: Record<string, string>
  /**
   * Form; for a chain with `{token}` where the last answer's refresh token goes. null: the request is a GET, and the
   * answer leads back to the app with a code.
   */
  body: string | null
  /** First refresh token of a chain. */
  token?: string
}

/** From the measuring process to a server under test. */
export type Order =
  | { type: 'prepare'; operation: Operation; count: number }
  | { type: 'usage' }
  | { type: 'stop' }

/** And back. CPU in µs since its start, memory in bytes, times in ms. */
export type Report =
  | { type: 'listening'; port: number; startMs: number; operations: Operation[] }
  | { type: 'prepared'; shots: Shot[] }
  | { type: 'usage'; cpuMicros: number; rss: number }
  | { type: 'failed'; message: string }

/** What a server under test is told by its environment. */
export interface BenchEnvironment {
  databaseUrl: string
  redisUrl: string
  masterKey: string
  /** File with the sample of what was seeded. */
  sample: string
  /** Of the server for which requests are made; 0: of none. */
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

/** Runs one server under test in this process, under orders of the parent. */
export const serve = async (server: {
  operations: readonly Operation[]
  /** @returns the port */
  start(): Promise<number>
  prepare(operation: Operation, count: number): Promise<Shot[]>
  stop(): Promise<void>
}) => {
  const send = (report: Report) => process.send?.(report)
  const began = performance.now()
  const obey = async (order: Order) => {
    if (order.type === 'usage') {
      const { user, system } = process.cpuUsage()
      send({ type: 'usage', cpuMicros: user + system, rss: process.memoryUsage.rss() })
    } else if (order.type === 'prepare') {
      const shots = await server.prepare(order.operation, order.count)
      send({ type: 'prepared', shots })
      // What the preparing has left behind is no part of what is measured.
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
    send({ type: 'listening', port, startMs, operations: [...server.operations] })
  } catch (error) {
    send({ type: 'failed', message: String((error as Error).stack ?? error) })
  }
}
