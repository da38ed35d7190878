import type { Child } from './child.ts'
import { fire, type LoadResult } from './load.ts'
import type { Operation, Shot } from './protocol.ts'
import type { BenchStores } from './stores.ts'

/** Connections of the load generator. */
export const connections = 32

/** A server under test. */
export interface Candidate {
  name: string
  child: Pick<Child, 'port' | 'prepare' | 'usage' | 'stop'>
}

/** One operation of one server in one round. CPU of the server process in µs per request, memory in bytes. */
export interface Measured extends LoadResult {
  contender: string
  operation: Operation
  round: number
  cpuMicros: number
  /** CPU of the stores in µs per request. */
  redisMicros: number
  postgresMicros: number
  rss: number
}

export interface Load {
  seconds: number
  /** Number of prepared requests. */
  shots: number
  /** Total requests per second; absent: as fast as answers arrive. */
  rate?: number
  /** Seconds at the beginning whose response times do not count. */
  warmUp?: number
  connections?: number
}

/** Sends load to servers and keeps their requests, so that a chain of refreshes continues where it stopped. */
export const createMeasuring = (stores: BenchStores) => {
  const ready = new Map<string, Shot[]>()

  const shotsFor = async ({ child }: Candidate, operation: Operation, count: number) => {
    // A code can be used once.
    if (operation === 'authorization_code') {
      const shots = await child.prepare(operation, count)
      await stores.settle()
      return shots
    }
    const key = `${child.port} ${operation}`
    const shots = ready.get(key) ?? (await child.prepare(operation, count))
    ready.set(key, shots)
    return shots
  }

  return async (
    candidate: Candidate,
    operation: Operation,
    round: number,
    { shots: count, ...load }: Load,
  ): Promise<Measured> => {
    const { name, child } = candidate
    const shots = await shotsFor(candidate, operation, count)
    const before = await child.usage()
    const storesBefore = stores.usage()
    const result = await fire(
      { port: shots[0]?.port ?? child.port, shots, connections, ...load },
      operation === 'authorization_code',
    )
    const after = await child.usage()
    const storesAfter = stores.usage()
    if (result.failed > 0)
      throw new Error(`${name}, ${operation}: ${result.failed} failed: ${result.firstFailure}`)
    return {
      contender: name,
      operation,
      round,
      cpuMicros: (after.cpuMicros - before.cpuMicros) / result.requests,
      redisMicros: (storesAfter.redis - storesBefore.redis) / result.requests,
      postgresMicros: (storesAfter.postgres - storesBefore.postgres) / result.requests,
      rss: after.rss,
      ...result,
    }
  }
}

export const median = (values: readonly number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
