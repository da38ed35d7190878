// Response times at a steady rate: ours and the floor in turns, each with its own peak just before.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Running, startContenders } from './contenders.ts'
import { createMeasuring, median } from './measure.ts'
import type { Observation } from './observing.ts'
import { type Operation, operations } from './protocol.ts'
import { withSeededStores } from './seeded.ts'

type Measure = ReturnType<typeof createMeasuring>

/** One server in one round: requests per second, and response times in ms. */
export interface TailRound {
  rate: number
  p50: number
  p99: number
  /** The 99th percentile of the delay of the load generator's own event loop in ms. It is part of the times. */
  generator: number
}

export interface Tail {
  operation: Operation
  contender: Running['name']
  rounds: TailRound[]
  /** Of a further round, which is not counted. */
  observation: Observation | null
}

export interface TailPlan {
  rounds: number
  peakSeconds: number
  seconds: number
  observes: boolean
}

const sizes = { apps: 500, organizations: 100, families: 4000 }
/** Share of the peak rate at which response times are measured. */
const steadyPart = 0.7
/** Seconds until connections are open and the first backlog is answered. */
const warmUp = 0.5
/** The floor shows what the machine itself needs. */
const steadyOnes: Running['name'][] = ['floor', 'ours']

const mostCodes = 6000 // per second

/** Enough that every code is used once. */
const shotsFor = (operation: Operation, perSecond: number, seconds: number) =>
  operation === 'authorization_code' ? Math.ceil(seconds * perSecond) : sizes.families

/** Measures the peak and then, at a part of it, the response times. */
const goRound = async (
  measure: Measure,
  one: Running,
  operation: Operation,
  { peakSeconds, seconds }: TailPlan,
): Promise<TailRound> => {
  const shots = shotsFor(operation, mostCodes, peakSeconds)
  const peak = await measure(one, operation, 0, { seconds: peakSeconds, shots })
  const rate = steadyPart * (peak.requests / peak.seconds)
  const lasting = seconds + warmUp
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { p50, p99 } = await measure(one, operation, 0, {
    seconds: lasting,
    shots: shotsFor(operation, rate, lasting),
    rate,
    warmUp,
  })
  delay.disable()
  return { rate, p50, p99, generator: delay.percentile(99) / 1e6 }
}

/** All servers in turns, and the second first in every other round. Round 0 warms up. */
export const measureTails = async (
  measure: Measure,
  running: readonly Running[],
  operation: Operation,
  plan: TailPlan,
): Promise<Tail[]> => {
  const tails = running
    .filter(({ name }) => steadyOnes.includes(name))
    .map((one) => ({ one, rounds: [] as TailRound[], observation: null as Observation | null }))
  for (let round = 0; round <= plan.rounds; round++)
    for (const { one, rounds } of round % 2 === 0 ? tails : tails.toReversed()) {
      const measured = await goRound(measure, one, operation, plan)
      if (round > 0) rounds.push(measured)
    }
  if (plan.observes)
    for (const tail of tails) {
      await tail.one.child.observe()
      await goRound(measure, tail.one, operation, plan)
      tail.observation = await tail.one.child.observation()
    }
  return tails.map(({ one, ...tail }) => ({ contender: one.name, operation, ...tail }))
}

/** Median of the rounds. */
export const steadyOf = ({ contender, operation, rounds }: Tail) => ({
  contender,
  operation,
  rate: median(rounds.map(({ rate }) => rate)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
})

export const tail = (quick: boolean, chosen: readonly string[]): Promise<Tail[]> =>
  withSeededStores(sizes, async ({ stores, env }) => {
    const plan = quick
      ? { rounds: 2, peakSeconds: 1, seconds: 2, observes: true }
      : { rounds: 7, peakSeconds: 2, seconds: 6, observes: true }
    const running = await startContenders(env, steadyOnes)
    try {
      const measure = createMeasuring(stores)
      const tails: Tail[] = []
      for (const operation of operations)
        if (chosen.length === 0 || chosen.includes(operation))
          tails.push(...(await measureTails(measure, running, operation, plan)))
      return tails
    } finally {
      await Promise.all(running.map(({ child }) => child.stop()))
    }
  })
