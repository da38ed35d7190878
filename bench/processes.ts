import type { Child } from './child.ts'
import { type Running, startContenders } from './contenders.ts'
import { connections, createMeasuring, type Measured, median } from './measure.ts'
import type { Operation } from './protocol.ts'
import { type Seeded, withSeededStores } from './seeded.ts'

/** Total requests per second of some processes, and their CPU µs per request. */
interface Throughput {
  rate: number
  cpuMicros: number
}

/** Processes of our server at the same time, each with its own connections and families. */
export interface Processes {
  operation: Operation
  /** Share of the time in which each process runs, never while another one does. 1: always, in parallel. */
  part: number
  by: (Throughput & { processes: number })[]
}

const seconds = 2
const rounds = 3
const shots = 4000
const counts = [1, 2, 4] as const
/** Four times an eighth of a core leaves enough for the generator and the stores on any machine with two cores. */
const turns = 8
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

/** Gives each process one turn of eight, and none after it. @returns stops the turns */
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

const measureProcesses = async (
  { stores, env }: Seeded,
  operations: readonly Operation[],
): Promise<Processes[]> => {
  const started: Running[] = []
  try {
    for (const _ of Array(Math.max(...counts)))
      started.push(...(await startContenders(env, ['ours'])))
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
        const all = new Map(counts.map((count) => [count, [] as Throughput[]]))
        for (let round = 0; round < rounds; round++)
          for (const [count, measured] of all)
            measured.push(await way(servers.slice(0, count), operation))
        const by = [...all].map(([processes, measured]) => ({ processes, ...middle(measured) }))
        found.push({ operation, part, by })
      }
    }
    return found
  } finally {
    await Promise.all(started.map(({ child }) => child.stop()))
  }
}

const compared: readonly Operation[] = ['client_credentials', 'refresh']
const sizes = { apps: 1000, organizations: 200, families: 16_000 }

/**
 * Measures whether further processes add throughput. In parallel they can only where the machine has free cores.
 * @param chosen the operations to measure, of those that are compared
 */
export const compareProcesses = (chosen = compared): Promise<Processes[]> =>
  withSeededStores(sizes, (seeded) =>
    measureProcesses(
      seeded,
      compared.filter((one) => chosen.includes(one)),
    ),
  )
