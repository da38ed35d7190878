import { type Condition, conditionSql } from './conditions.ts'
import type { Field } from './fields.ts'
import type { Bind } from './operators.ts'
import type { Table } from './tables.ts'

/** Which rows of a table; all that is said must hold. */
export interface Selection {
  condition?: Condition
  ids?: readonly string[]
  /** Behind this position. */
  after?: string
}

/** Which part of them, in which order; without one, that in which they were inserted. */
export interface Range {
  sort?: readonly { field: Field; descending: boolean }[]
  limit: number
  skip?: number
}

/** A statement with its parameters. */
export interface Statement {
  text: string
  values: unknown[]
}

const createParameters = (): { values: unknown[]; bind: Bind } => {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

const whereSql = (table: Table, { condition, ids, after }: Selection, bind: Bind): string =>
  [
    `organization_id = ${bind(table.organizationId)} and table_id = ${bind(table.id)}`,
    ...(condition ? [`(${conditionSql(condition, bind)})`] : []),
    ...(ids ? [`id = any(${bind(ids)}::text[])`] : []),
    ...(after ? [`position > ${bind(after)}::bigint`] : []),
  ].join(' and ')

/** jsonb has an order for each type. Rows without a value come last, in whichever direction. */
const orderSql = ({ sort = [] }: Range, bind: Bind): string =>
  sort
    .map(({ field, descending }) => {
      const val = `nullif(cells -> ${bind(field.id)}::text -> 'val', 'null'::jsonb)`
      return `${val} ${descending ? 'desc' : 'asc'} nulls last, `
    })
    .join('')

/** @throws Fault when the condition makes no sense */
export const selectStatement = (table: Table, selection: Selection, range: Range): Statement => {
  const { values, bind } = createParameters()
  const text = `select id, cells as values, position from data_api.rows
    where ${whereSql(table, selection, bind)} order by ${orderSql(range, bind)} position
    limit ${bind(range.limit)} offset ${bind(range.skip ?? 0)}`
  return { text, values }
}

/** @throws Fault when the condition makes no sense */
export const countStatement = (table: Table, selection: Selection): Statement => {
  const { values, bind } = createParameters()
  const where = whereSql(table, selection, bind)
  return { text: `select count(*)::integer as count from data_api.rows where ${where}`, values }
}
