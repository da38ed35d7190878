import type { Child } from './child.ts'
import { type Running, startContenders } from './contenders.ts'
import { connections, createMeasuring, type Measured } from './measure.ts'
import type { Operation } from './protocol.ts'
import type { Seeded } from './seeded.ts'

/** Requests per second of all together, and CPU µs of the servers for each. */
export interface Throughput {
  rate: number
  cpuMicros: number
}

/** One process of ours, and two of them at the same time, each with half of the connections and families of its own. */
export interface Processes {
  operation: Operation
  one: Throughput
  two: Throughput
}

const seconds = 4
const shots = 4000

const together = (measured: Measured[]): Throughput => {
  const requests = measured.reduce((sum, one) => sum + one.requests, 0)
  const cpu = measured.reduce((sum, one) => sum + one.cpuMicros * one.requests, 0)
  const rate = measured.reduce((sum, one) => sum + one.requests / one.seconds, 0)
  return { rate, cpuMicros: cpu / requests }
}

/** A part of the families that no other process has. */
const withPart = (running: Running, part: number): Running => {
  const prepare: Child['prepare'] = async (operation, count) =>
    (await running.child.prepare(operation, count * (part + 1))).slice(part * count)
  return { ...running, child: { ...running.child, prepare } }
}

/** Does a second process add to the first? It can only where the machine has cores left for it. */
export const measureProcesses = async (
  { stores, env }: Seeded,
  operations: readonly Operation[],
): Promise<Processes[]> => {
  const started = [
    await startContenders(env, ['ours']),
    await startContenders(env, ['ours']),
  ].flat()
  try {
    const servers = started.map(withPart)
    const measure = createMeasuring(stores)
    const run = async (some: Running[], operation: Operation) => {
      const load = { seconds, shots, connections: connections / some.length }
      return together(await Promise.all(some.map((one) => measure(one, operation, 0, load))))
    }
    const found: Processes[] = []
    for (const operation of operations) {
      await run(servers, operation) // warms up
      const one = await run(servers.slice(0, 1), operation)
      found.push({ operation, one, two: await run(servers, operation) })
    }
    return found
  } finally {
    await Promise.all(started.map(({ child }) => child.stop()))
  }
}
