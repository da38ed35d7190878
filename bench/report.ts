import type { Contender } from './contenders.ts'
import type { FamilyMemory } from './family-memory.ts'
import { type Measured, median } from './measure.ts'
import type { Processes } from './processes.ts'
import { type Operation, operations } from './protocol.ts'
import type { Verification } from './verification.ts'

const of = (results: Measured[], contender: string, operation: Operation) =>
  results.filter((one) => one.contender === contender && one.operation === operation)

const cpuOf = (results: Measured[], contender: string, operation: Operation) =>
  median(of(results, contender, operation).map(({ cpuMicros }) => cpuMicros))

/** Response times at a share of the peak rate. */
export interface Steady {
  contender: Contender
  operation: Operation
  /** Requests per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Ratio {
  name: string
  operation: Operation
  below: Contender
  value: number
  /** null: for comparison only. */
  goal: { relation: '≤' | '≥'; bound: number } | null
}

const isMet = (value: number, { relation, bound }: NonNullable<Ratio['goal']>) =>
  relation === '≤' ? value <= bound : value >= bound

/** Ratios to the floor that noise of a short run on a busy machine seldom reaches, but a regression each time. */
const bounds: Partial<Record<Contender, number>> = { floor: 2.5, 'floor without SQL': 4 }

export interface Regression extends Ratio {
  bound: number
}

/** Ratios to the floor that are worse than noise explains. */
export const regressionsOf = (ratios: readonly Ratio[]): Regression[] =>
  ratios.flatMap((ratio) => {
    const least = bounds[ratio.below]
    if (ratio.goal === null || least === undefined) return []
    const bound = Math.max(least, 2 * ratio.goal.bound)
    return ratio.value <= bound ? [] : [{ ...ratio, bound }]
  })

/** Goals for ours / floor. Both do the same input and output; ours shares queries and keeps the rules. */
const floorGoals: Record<Operation, number> = {
  client_credentials: 0.65,
  refresh: 0.9,
  authorization_code: 0.7,
  introspection: 0.8,
  authorize: 2,
}

const isOldNode = Number.parseInt(process.versions.node, 10) < 24
const refreshGoal = isOldNode ? 1.35 : 1.4

/** The ratios of one run. Ratios without measurements are omitted. */
export const ratiosOf = (results: Measured[]): Ratio[] => {
  const ratio = (
    operation: Operation,
    above: Contender,
    below: Contender,
    ...goal: ['≤' | '≥', number] | []
  ): Ratio => ({
    name: `${operation}: ${above} / ${below}`,
    operation,
    below,
    value: cpuOf(results, above, operation) / cpuOf(results, below, operation),
    goal: goal.length === 0 ? null : { relation: goal[0], bound: goal[1] },
  })
  return [
    ...operations.map((one) => ratio(one, 'ours', 'floor', '≤', floorGoals[one])),
    ratio('authorize', 'ours', 'oidc-provider', '≤', 1),
    ratio('refresh', 'ours', 'floor without SQL', '≤', refreshGoal),
    ratio('refresh', '@jmondi/oauth2-server, tuned', 'ours'),
    ratio('refresh', 'oidc-provider', 'ours'),
    ratio('client_credentials', 'oidc-provider', 'ours'),
  ].filter(({ value }) => Number.isFinite(value))
}

export interface Report {
  at: string
  versions: Record<string, string>
  connections: number
  idle: { name: string; startMs: number; rss: number }[]
  plan: object
  results: Measured[]
  steady: Steady[]
  processes: Processes[]
  familyMemory: FamilyMemory[]
  verification: Verification[]
  ratios: Ratio[]
}

const cell = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const megabytes = (bytes: number) => bytes / 1024 / 1024

export const row = (widths: number[], cells: string[]) =>
  console.log(
    cells
      .map((one, at) => (at === 0 ? one.padEnd(widths[0] ?? 0) : one.padStart(widths[at] ?? 0)))
      .join('  '),
  )

export const printVerification = (all: readonly Verification[]) => {
  for (const { what, floor, ours, goal } of all) {
    const figures = `floor ${cell(floor, 1)} µs, ours ${cell(ours, 1)} µs`
    console.log(`@latchkey-auth/verify, ${what}: ${figures} (goal ≤ ${cell(goal, 1)})`)
  }
}

export const printProcesses = (all: readonly Processes[]) => {
  for (const { operation, part, by } of all) {
    const alone = by[0]?.rate ?? Number.NaN
    const figures = by.map(
      ({ processes, rate, cpuMicros }) =>
        `${processes}: ${cell(rate)} requests/s at ${cell(cpuMicros, 1)} µs (${cell(rate / alone, 2)})`,
    )
    const shared = part === 1 ? 'in parallel' : `${part} of a core each`
    console.log(`ours, ${operation}, processes ${shared}: ${figures.join(', ')}`)
  }
}

export const printTable = ({
  versions,
  connections,
  idle,
  results,
  steady,
  processes,
  familyMemory,
  verification,
  ratios,
}: Report) => {
  console.log(
    `${Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ')}; ${connections} connections\n`,
  )
  const widths = [30, 20, 10, 8, 10, 8, 8, 8, 8]
  const heads = [
    '',
    'operation',
    'CPU µs',
    'Redis',
    'Postgres',
    'req/s',
    'p50 ms',
    'p99 ms',
    'RSS MB',
  ]
  row(widths, heads)
  const names = [...new Set(results.map(({ contender }) => contender))]
  for (const name of names) {
    for (const operation of operations) {
      const runs = of(results, name, operation)
      if (runs.length === 0) continue
      row(widths, [
        name,
        operation,
        cell(cpuOf(results, name, operation), 1),
        cell(median(runs.map(({ redisMicros }) => redisMicros)), 1),
        cell(median(runs.map(({ postgresMicros }) => postgresMicros)), 1),
        cell(median(runs.map(({ requests, seconds }) => requests / seconds))),
        cell(median(runs.map(({ p50 }) => p50)), 1),
        cell(median(runs.map(({ p99 }) => p99)), 1),
        cell(megabytes(Math.max(...runs.map(({ rss }) => rss)))),
      ])
    }
  }
  console.log()
  for (const { name, startMs, rss } of idle) {
    console.log(
      `${name.padEnd(30)}  start ${cell(startMs)} ms, ${cell(megabytes(rss))} MB after the start`,
    )
  }
  console.log()
  for (const { contender, operation, rate, p50, p99 } of steady) {
    console.log(
      `${contender}, ${operation} at ${cell(rate)} requests/s: p50 ${cell(p50, 1)} ms, p99 ${cell(p99, 1)} ms`,
    )
  }
  if (processes.length > 0) console.log()
  printProcesses(processes)
  if (familyMemory.length > 0) console.log()
  for (const { rotations, bytes } of familyMemory)
    console.log(`Redis, a family after ${rotations} refreshes: ${cell(bytes)} B (goal ≤ 140)`)
  if (verification.length > 0) console.log()
  printVerification(verification)
  console.log()
  for (const ratio of ratios) {
    const { name, value, goal } = ratio
    const mark = goal === null ? '   ' : isMet(value, goal) ? 'ok ' : 'NO '
    const told = goal === null ? '' : `  goal ${goal.relation} ${goal.bound}`
    console.log(`${mark} ${name.padEnd(52)} ${cell(value, 2).padStart(6)}${told}`)
  }
}
