import type { Measured } from './measure.ts'
import { type Operation, operations } from './protocol.ts'
import type { About } from './server-description.ts'

/** Growth of a server's database in Postgres by refreshes, without space that a vacuum returns. */
export interface Growth {
  contender: string
  refreshes: number
  bytes: number
}

/** One operation of one server: medians of the rounds. */
export interface ServerCost {
  contender: string
  operation: Operation
  /** CPU µs per request: of the server alone, and with Postgres and Redis. */
  server: number
  withStores: number
  requestsPerSecond: number
  /** Largest resident memory after a round in bytes. */
  rss: number
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** The costs of each server for each operation, in the order of the measurements. */
export const costsOf = (results: readonly Measured[]): ServerCost[] => {
  const names = [...new Set(results.map(({ contender }) => contender))]
  return names.flatMap((contender) =>
    operations.flatMap((operation) => {
      const runs = results.filter(
        (one) => one.contender === contender && one.operation === operation,
      )
      if (runs.length === 0) return []
      return {
        contender,
        operation,
        server: median(runs.map(({ cpuMicros }) => cpuMicros)),
        withStores: median(
          runs.map(
            ({ cpuMicros, redisMicros, postgresMicros }) =>
              cpuMicros + redisMicros + postgresMicros,
          ),
        ),
        requestsPerSecond: median(runs.map(({ requests, seconds }) => requests / seconds)),
        rss: Math.max(...runs.map(({ rss }) => rss)),
      }
    }),
  )
}

const cells = (head: string, columns: string[]) => `| ${[head, ...columns].join(' | ')} |`

const cell = (value: number, digits = 0) =>
  Number.isFinite(value) ? value.toFixed(digits).replace(/^-0$/, '0') : '–'

/** Markdown: what each server is. */
export const aboutTable = (abouts: Readonly<Record<string, About | null>>): string =>
  [
    cells('server', ['version', 'runs on', 'store', 'access tokens']),
    `|${'---|'.repeat(5)}`,
    ...Object.entries(abouts).map(([name, about]) =>
      cells(
        name,
        [about?.version, about?.runtime, about?.store, about?.algorithm].map((one) => one ?? '–'),
      ),
    ),
  ].join('\n')

/** Markdown: CPU µs per request of the server, in brackets with its stores; the last column compares with ours. */
export const serversTable = (costs: readonly ServerCost[], growths: readonly Growth[]): string => {
  const names = [...new Set(costs.map(({ contender }) => contender))]
  const costOf = (name: string, operation: Operation) =>
    costs.find((one) => one.contender === name && one.operation === operation)
  const rows = operations
    .filter((operation) => costs.some((one) => one.operation === operation))
    .map((operation) => {
      const found = names.map((name) => costOf(name, operation))
      const others = found.flatMap((one) => (one && one.contender !== 'ours' ? [one.server] : []))
      const best = others.length === 0 ? Number.NaN : Math.min(...others)
      const ratio = best / (costOf('ours', operation)?.server ?? Number.NaN)
      return cells(operation, [
        ...found.map((one) => (one ? `${cell(one.server)} (${cell(one.withStores)})` : '–')),
        cell(ratio, 1),
      ])
    })
  const memory = names.map((name) => {
    const all = costs.filter(({ contender }) => contender === name)
    return cell(Math.max(...all.map(({ rss }) => rss)) / 1024 ** 2)
  })
  const growth = names.map((name) => {
    const one = growths.find(({ contender }) => contender === name)
    return one ? cell(one.bytes / one.refreshes) : '–'
  })
  return [
    cells('CPU µs per request (with stores)', [...names, 'best of the others / ours']),
    `|${'---|'.repeat(names.length + 2)}`,
    ...rows,
    cells('memory under load, MB', [...memory, '']),
    cells('Postgres bytes kept per refresh', [...growth, '']),
  ].join('\n')
}
