import { type Condition, conditionSql } from './conditions.ts'
import type { Field } from './fields.ts'
import type { Bind } from './operators.ts'
import type { Table } from './tables.ts'

/** Selects rows of a table; all conditions must hold. */
export interface Selection {
  condition?: Condition
  ids?: readonly string[]
  /** After this position. */
  after?: string
}

/** A page and its order; the default is the order of insertion. */
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

/** jsonb sorts each type. Rows without a value come last in both directions. */
const orderSql = ({ sort = [] }: Range, bind: Bind): string =>
  sort
    .map(({ field, descending }) => {
      const val = `nullif(cells -> ${bind(field.id)}::text -> 'val', 'null'::jsonb)`
      return `${val} ${descending ? 'desc' : 'asc'} nulls last, `
    })
    .join('')

/** @throws Fault if the condition is invalid */
export const selectStatement = (table: Table, selection: Selection, range: Range): Statement => {
  const { values, bind } = createParameters()
  const text = `select id, cells as values, position from data_api.rows
    where ${whereSql(table, selection, bind)} order by ${orderSql(range, bind)} position
    limit ${bind(range.limit)} offset ${bind(range.skip ?? 0)}`
  return { text, values }
}

/** @throws Fault if the condition is invalid */
export const countStatement = (table: Table, selection: Selection): Statement => {
  const { values, bind } = createParameters()
  const where = whereSql(table, selection, bind)
  return { text: `select count(*)::integer as count from data_api.rows where ${where}`, values }
}
