import type pg from 'pg'
import { limits } from './limits.ts'
import {
  keysStatement,
  type Range,
  type Selection,
  type Statement,
  selectStatement,
} from './selection.ts'
import type { Table } from './table.ts'

/** Runs a statement. */
export type Query = <Found extends pg.QueryResultRow>(statement: Statement) => Promise<Found[]>

interface Explained {
  'QUERY PLAN': unknown
}

interface Keyed {
  id: string
  key: string | null
}

/** Whether the planner would sort rows group by group, instead of the few that the filter finds. */
const sortsGroups = async (query: Query, { text, ...statement }: Statement) => {
  const plan = await query<Explained>({ ...statement, text: `explain (format json) ${text}` })
  return JSON.stringify(plan).includes('"Incremental Sort"')
}

/**
 * Finds the rows of a page. Where many rows have the same value of the first field of the order, an
 * index on it would read all of them to sort them by the next one. So this first finds the values of
 * that field on the page: the rows with the last value are a page by the other fields, and the few
 * rows before them are known.
 */
export const findPage = async <Row extends pg.QueryResultRow>(
  query: Query,
  table: Table,
  selection: Selection,
  range: Range,
): Promise<Row[]> => {
  const { within = [], sort = [], limit, skip = 0 } = range
  const [first, ...others] = sort
  const end = skip + limit
  const whole = selectStatement(table, selection, range)
  if (!first || others.length === 0 || end > limits.listed || whole.isScan) return query(whole)
  if (!(await sortsGroups(query, whole))) return query(whole)
  const byFirst = { within, sort: [first], limit: end }
  const keyed = await query<Keyed>(keysStatement(table, selection, byFirst, first.field))
  const last = keyed[end - 1]
  const before = last ? keyed.findIndex(({ key }) => key === last.key) : keyed.length
  const { removed = false } = selection
  const ids = keyed.slice(0, before).map(({ id }) => id)
  const rows =
    skip < before ? await query<Row>(selectStatement(table, { ids, removed }, range)) : []
  if (!last || rows.length === limit) return rows
  const more = await findPage<Row>(query, table, selection, {
    ...range,
    within: [...within, { ...first, key: last.key }],
    sort: others,
    limit: limit - rows.length,
    skip: Math.max(skip - before, 0),
  })
  return [...rows, ...more]
}
