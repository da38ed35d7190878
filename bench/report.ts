import type { Contender, Measured } from './main.ts'
import { type Operation, operations } from './protocol.ts'

const median = (values: number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const of = (results: Measured[], contender: Contender, operation: Operation) =>
  results.filter((one) => one.contender === contender && one.operation === operation)

const cpuOf = (results: Measured[], contender: Contender, operation: Operation) =>
  median(of(results, contender, operation).map(({ cpuMicros }) => cpuMicros))

export interface Ratio {
  name: string
  value: number
  goal: string
  met: boolean
}

/** The goals that can be read off one run; those of which nothing was measured are left out. */
export const ratiosOf = (results: Measured[]): Ratio[] => {
  const ratio = (
    name: string,
    [above, below]: [Contender, Contender],
    operation: Operation,
    relation: '≤' | '≥',
    bound: number,
  ): Ratio => {
    const value = cpuOf(results, above, operation) / cpuOf(results, below, operation)
    const met = relation === '≤' ? value <= bound : value >= bound
    return { name, value, goal: `${relation} ${bound}`, met }
  }
  return [
    ...operations.map((one) => ratio(`${one}: ours / floor`, ['ours', 'floor'], one, '≤', 1.25)),
    ratio('refresh: ours / floor without SQL', ['ours', 'floor without SQL'], 'refresh', '≤', 1.5),
    ratio('refresh: oidc-provider / ours', ['oidc-provider', 'ours'], 'refresh', '≥', 4),
    ratio(
      'client_credentials: oidc-provider / ours',
      ['oidc-provider', 'ours'],
      'client_credentials',
      '≥',
      2,
    ),
  ].filter(({ value }) => Number.isFinite(value))
}

export interface Report {
  versions: Record<string, string>
  connections: number
  idle: { name: string; startMs: number; rss: number }[]
  results: Measured[]
  ratios: Ratio[]
}

const cell = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const megabytes = (bytes: number) => bytes / 1024 / 1024

const row = (widths: number[], cells: string[]) =>
  console.log(
    cells
      .map((one, at) => (at === 0 ? one.padEnd(widths[0] ?? 0) : one.padStart(widths[at] ?? 0)))
      .join('  '),
  )

export const printTable = ({ versions, connections, idle, results, ratios }: Report) => {
  console.log(
    `${Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ')}; ${connections} connections\n`,
  )
  const widths = [28, 20, 10, 8, 8, 8, 8]
  row(widths, ['', 'operation', 'CPU µs', 'req/s', 'p50 ms', 'p99 ms', 'RSS MB'])
  const names = [...new Set(results.map(({ contender }) => contender))]
  for (const name of names) {
    for (const operation of operations) {
      const runs = of(results, name, operation)
      if (runs.length === 0) continue
      row(widths, [
        name,
        operation,
        cell(cpuOf(results, name, operation), 1),
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
      `${name.padEnd(28)}  start ${cell(startMs)} ms, ${cell(megabytes(rss))} MB after it`,
    )
  }
  console.log()
  for (const { name, value, goal, met } of ratios) {
    console.log(
      `${met ? 'ok ' : 'NO '} ${name.padEnd(44)} ${cell(value, 2).padStart(6)}  goal ${goal}`,
    )
  }
}
