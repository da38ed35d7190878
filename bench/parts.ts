// What the CPU time of a request is made of, by samples of the server's stack.
import { type Running, startContenders } from './contenders.ts'
import { createMeasuring, median } from './measure.ts'
import { type PartName, partNames } from './profiling.ts'
import { type Operation, operations } from './protocol.ts'
import { row } from './report.ts'
import { withSeededStores } from './seeded.ts'

/** CPU µs of the server per request, in one part. */
export type Parts = Partial<Record<PartName, number>>

export interface MeasuredParts {
  operation: Operation
  /** µs of CPU per request, without sampling. */
  floor: { cpuMicros: number; parts: Parts }
  ours: { cpuMicros: number; parts: Parts }
}

const sizes = { apps: 500, organizations: 100, families: 4000 }

/** Enough that every code is used once. */
const shotsFor = (operation: Operation, seconds: number) =>
  operation === 'authorization_code' ? Math.ceil(seconds * 6000) : sizes.families

/**
 * Measures where the floor and our server spend their CPU time. Rounds without samples give the time per request, and a
 * round with samples gives the parts of it.
 */
export const measureParts = (
  quick: boolean,
  chosen: readonly string[],
): Promise<MeasuredParts[]> => {
  const { rounds, seconds } = quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 3 }
  return withSeededStores(sizes, async ({ stores, env }) => {
    const running = await startContenders(env, ['floor', 'ours'])
    const measure = createMeasuring(stores)
    const cost = async (one: Running, operation: Operation, round: number) => {
      const load = { seconds, shots: shotsFor(operation, seconds) }
      return (await measure(one, operation, round, load)).cpuMicros
    }
    const partsOf = async (one: Running, operation: Operation, cpuMicros: number) => {
      await one.child.profile()
      await cost(one, operation, 0)
      const shares = await one.child.shares()
      const parts: Parts = {}
      for (const [part, share] of Object.entries(shares))
        parts[part as PartName] = share * cpuMicros
      return { cpuMicros, parts }
    }
    try {
      const found: MeasuredParts[] = []
      for (const operation of operations) {
        if (chosen.length > 0 && !chosen.includes(operation)) continue
        const costs = running.map((): number[] => [])
        // Round 0 warms up. The servers take turns.
        for (let round = 0; round <= rounds; round++)
          for (const [at, one] of running.entries()) {
            const micros = await cost(one, operation, round)
            if (round > 0) costs[at]?.push(micros)
          }
        const [floor, ours] = await Promise.all(
          running.map(async (one, at) => [one, median(costs[at] ?? [])] as const),
        )
        if (!floor || !ours) continue
        found.push({
          operation,
          floor: await partsOf(floor[0], operation, floor[1]),
          ours: await partsOf(ours[0], operation, ours[1]),
        })
      }
      return found
    } finally {
      await Promise.all(running.map(({ child }) => child.stop()))
    }
  })
}

/** What ours would cost, as a ratio to the floor, if its own code took no time. */
const least = ({ floor, ours }: MeasuredParts) =>
  (ours.cpuMicros - (ours.parts['own code'] ?? 0)) / floor.cpuMicros

/** The share of our own code in the time of a request, with cold code, as `--quick` measures it. */
const usualShares: Partial<Record<Operation, number>> = {
  client_credentials: 0.18,
  refresh: 0.165,
  authorization_code: 0.175,
  introspection: 0.12,
}

/** A share may be a fifth larger than usual. */
const growth = 1.2

export interface GrownPart {
  operation: Operation
  share: number
  bound: number
}

/** @returns the token requests whose own code has grown by more than a fifth */
export const grownParts = (all: readonly MeasuredParts[]): GrownPart[] =>
  all.flatMap(({ operation, ours }) => {
    const share = (ours.parts['own code'] ?? 0) / ours.cpuMicros
    const bound = growth * (usualShares[operation] ?? Number.POSITIVE_INFINITY)
    return share > bound ? [{ operation, share, bound }] : []
  })

/** The requests that a check measures: token requests and introspection. */
export const checkedParts = Object.keys(usualShares)

const widths = [32, 10, 10]

const printOperation = (measured: MeasuredParts) => {
  const { operation, floor, ours } = measured
  row(widths, [operation, 'floor', 'ours'])
  row(widths, ['CPU µs per request', floor.cpuMicros.toFixed(0), ours.cpuMicros.toFixed(0)])
  for (const part of partNames) {
    const [one, other] = [floor.parts[part] ?? 0, ours.parts[part] ?? 0]
    if (one + other < 0.5) continue
    row(widths, [`  ${part}`, one.toFixed(0), other.toFixed(0)])
  }
  const ratio = ours.cpuMicros / floor.cpuMicros
  console.log(
    `ours / floor ${ratio.toFixed(2)}; ${least(measured).toFixed(2)} if the own code took no time\n`,
  )
}

export const printParts = (all: readonly MeasuredParts[]) => {
  for (const one of all) printOperation(one)
}
