import type { Child } from './child.ts'
import { type Running, startContenders } from './contenders.ts'
import { connections, createMeasuring, type Measured, median } from './measure.ts'
import type { Operation } from './protocol.ts'
import type { Seeded } from './seeded.ts'

/** Total requests per second, and CPU µs of the servers per request. */
export interface Throughput {
  rate: number
  cpuMicros: number
}

/** One process of our server compared with two at the same time, each with its own connections and families. */
export interface Processes {
  operation: Operation
  /** Share of the time in which each process runs, never while another one does. 1: always, in parallel. */
  part: number
  one: Throughput
  two: Throughput
}

const seconds = 2
const rounds = 3
const shots = 4000
/** A quarter of a core leaves enough for the generator and the stores on any machine with two cores. */
const turns = 4
/** Milliseconds. */
const turn = 10

const total = (measured: Measured[]): Throughput => {
  const requests = measured.reduce((sum, one) => sum + one.requests, 0)
  const cpu = measured.reduce((sum, one) => sum + one.cpuMicros * one.requests, 0)
  const rate = measured.reduce((sum, one) => sum + one.requests / one.seconds, 0)
  return { rate, cpuMicros: cpu / requests }
}

const middle = (all: readonly Throughput[]): Throughput => ({
  rate: median(all.map(({ rate }) => rate)),
  cpuMicros: median(all.map(({ cpuMicros }) => cpuMicros)),
})

/** Gives each process its own part of the families. */
const withPart = (running: Running, part: number): Running => {
  const prepare: Child['prepare'] = async (operation, count) =>
    (await running.child.prepare(operation, count * (part + 1))).slice(part * count)
  return { ...running, child: { ...running.child, prepare } }
}

/**
 * Gives each process one turn of four: the first process the first, the second the third. @returns stops the turns
 * @returns ends it
 */
const takeTurns = (children: readonly Child[]) => {
  let now = 0
  for (const child of children) child.pause()
  const timer = setInterval(() => {
    for (const [at, child] of children.entries()) {
      if (now % turns === 2 * at) child.resume()
      else child.pause()
    }
    now++
  }, turn)
  return () => {
    clearInterval(timer)
    for (const child of children) child.resume()
  }
}

/** Measures whether a second process adds throughput. It can only where the machine has free cores. */
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
    const run = async (some: Running[], operation: Operation) =>
      total(
        await Promise.all(
          some.map((one) => measure(one, operation, 0, { seconds, shots, connections })),
        ),
      )
    const inTurns = async (some: Running[], operation: Operation) => {
      const end = takeTurns(some.map(({ child }) => child))
      return run(some, operation).finally(end)
    }
    const found: Processes[] = []
    for (const operation of operations) {
      await run(servers, operation) // warms up
      for (const [part, way] of [
        [1, run],
        [1 / turns, inTurns],
      ] as const) {
        const ones: Throughput[] = []
        const twos: Throughput[] = []
        for (let round = 0; round < rounds; round++) {
          ones.push(await way(servers.slice(0, 1), operation))
          twos.push(await way(servers, operation))
        }
        found.push({ operation, part, one: middle(ones), two: middle(twos) })
      }
    }
    return found
  } finally {
    await Promise.all(started.map(({ child }) => child.stop()))
  }
}
