/**
 * `npm run data-api:measure`: times filtered, sorted pages of the table that `data-api:seed` made,
 * and the verification of a token as a share of a request.
 */
import { noAttachments } from '../../examples/data-api/data/attached.ts'
import { type Data, openData } from '../../examples/data-api/data/data.ts'
import type { Selection } from '../../examples/data-api/data/selection.ts'
import type { Table } from '../../examples/data-api/data/table.ts'
import { type Case, casesOf, combinedCases } from './criteria.ts'
import { findManyRows } from './many-rows.ts'
import { measureRequests } from './request-cost.ts'

const limit = 100
const goalMs = 50
const repeats = 5
/** Slower pages are not repeated. */
const slowMs = 500

/** A page that was measured, with its milliseconds. */
interface Measured {
  filter: string
  group: string
  sort: string
  times: number[]
}

/** Fields of the order; a minus means descending. */
const sorts = [
  '',
  'Name',
  '-Amount',
  'Day',
  '-Price',
  'Status',
  '-Done',
  'Name,-Amount',
  'Status,-Amount',
]

const sortOf = ({ fields }: Table, sort: string) =>
  sort
    .split(',')
    .filter(Boolean)
    .map((word) => ({
      field: fields.find(({ name }) => name === word.replace('-', ''))!,
      descending: word.startsWith('-'),
    }))

const filtersOf = (table: Table): { group: string; filter: string; selection: Selection }[] => {
  const stored = table.fields.filter(({ via }) => via === null)
  const byName = new Map<string, Case & { group: string }>()
  for (const field of stored)
    for (const generation of ['legacy', 'current'] as const) {
      const isLegacy = !field.formula && !['createdAt', 'updatedAt'].includes(field.type)
      if (generation === 'legacy' && !isLegacy) continue
      for (const one of casesOf(field, generation))
        byName.set(`${generation} ${one.name}`, { ...one, group: field.name })
    }
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  return [
    { group: 'none', filter: 'none', selection: {} },
    ...[...byName.values()].map(({ name, condition, group }) => ({
      ...{ group, filter: name },
      selection: { condition },
    })),
    ...combinedCases(table).map(({ name, condition }) => ({
      ...{ group: 'several fields', filter: name },
      selection: { condition },
    })),
    ...['c4ca', 'customer', 'customer,4711', '4711|4712', 'no such text'].map((search) => ({
      ...{ group: 'search', filter: `search ${search}`, selection: { search } },
    })),
    { group: 'modifiedSince', filter: 'an hour', selection: { modifiedSince: hourAgo } },
  ]
}

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work().catch((error: Error) => {
    if (!error.message.includes('too long')) throw error
  })
  return performance.now() - started
}

const measurePages = async (data: Data, table: Table): Promise<Measured[]> => {
  const all: Measured[] = []
  for (const { group, filter, selection } of filtersOf(table))
    for (const sort of sorts) {
      const range = { sort: sortOf(table, sort), limit }
      const page = () => timed(() => data.rows.select(table, selection, range))
      // The first one also fills the caches.
      const times = [await page()]
      if (times[0]! < slowMs) {
        times.length = 0
        for (let repeat = 0; repeat < repeats; repeat++) times.push(await page())
      }
      all.push({ filter, group, sort: sort || 'none', times })
    }
  return all
}

const quantile = (times: number[], share: number) => {
  const ordered = times.toSorted((one, other) => one - other)
  return ordered[Math.min(Math.floor(ordered.length * share), ordered.length - 1)] ?? 0
}

const lineOf = (name: string, measured: readonly Measured[]) => {
  const times = measured.flatMap((one) => one.times)
  const slow = measured.filter((one) => quantile(one.times, 0.5) > goalMs).length
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1).padStart(8))
  return `${name.padEnd(16)} ${String(measured.length).padStart(5)} ${p50} ${p95} ${String(slow).padStart(7)}`
}

const print = (measured: readonly Measured[]) => {
  const head = `${'pages'.padStart(22)} ${'p50'.padStart(8)} ${'p95'.padStart(8)}   > ${goalMs} ms`
  for (const by of ['group', 'sort'] as const) {
    console.log(`\nBy ${by === 'group' ? 'field of the filter' : 'sort'}, in ms:\n${head}`)
    for (const name of new Set(measured.map((one) => one[by])))
      console.log(
        lineOf(
          name,
          measured.filter((one) => one[by] === name),
        ),
      )
  }
  console.log(`\n${lineOf('all', measured)}\n\nThe slowest:`)
  const slowest = measured.toSorted(
    (one, other) => quantile(other.times, 0.5) - quantile(one.times, 0.5),
  )
  for (const { filter, sort, times } of slowest.slice(0, 20))
    console.log(`${quantile(times, 0.5).toFixed(0).padStart(6)} ms  ${filter}, sort ${sort}`)
}

const { DATABASE_URL: url } = process.env
if (!url) throw new Error('not set: DATABASE_URL')
const data = await openData(url, null, noAttachments)
const table = await findManyRows(data)
const count = await data.rows.count(table, {})
console.log(`Pages of ${limit} from ${count.toLocaleString('en')} rows`)
print(await measurePages(data, table))
await data.close()
await measureRequests(url, table)
