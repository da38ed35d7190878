import { columnOf, literal } from './columns.ts'
import { type Condition, conditionSql } from './conditions.ts'
import { badInput } from './faults.ts'
import type { Field } from './fields.ts'
import { isRowId } from './ids.ts'
import { limits } from './limits.ts'
import { moment } from './operands.ts'
import type { Bind } from './operators.ts'
import type { Table } from './table.ts'
import { readText } from './texts.ts'

/** Selects rows of a table; all of it must hold. */
export interface Selection {
  condition?: Condition
  ids?: readonly string[]
  /** After the row with this id, in the order of insertion. */
  after?: string
  /** In the trash, where rows are not found otherwise. */
  removed?: boolean
  /** Words: a comma means and, a pipe means or. */
  search?: string
  /** ISO 8601. */
  modifiedSince?: string
  /** Rows with a document of one of these templates. */
  templates?: readonly string[]
}

/** A page and its order; the default is the order of insertion. */
export interface Range {
  sort?: readonly { field: Field; descending: boolean }[]
  limit: number
  skip?: number
  /** The fields that are read; the default is all. */
  only?: readonly string[]
}

/** A statement with its parameters. */
export interface Statement {
  text: string
  values: unknown[]
  /** It reads all rows of the table. */
  isScan: boolean
}

const createParameters = (): { values: unknown[]; bind: Bind } => {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

const listed = <One>(list: readonly One[], place: string) => {
  if (list.length > limits.listed) throw badInput(`at most ${limits.listed} entries`, place)
  return list
}

/** "And" binds closer than "or". @throws Fault if there are too many words */
const searchSql = (search: string, bind: Bind): string => {
  const ways = search
    .split('|')
    .map((way) => way.split(',').map((word) => word.trim().toLowerCase()))
    .map((words) => words.filter(Boolean))
    .filter((words) => words.length > 0)
  if (readText(search, limits.text) === null)
    throw badInput(`a search is a text of at most ${limits.text} characters`, 'search')
  if (ways.flat().length > limits.words)
    throw badInput(`a search has at most ${limits.words} words`, 'search')
  const has = (word: string) =>
    `r.search_text like ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}::text`
  return ways.map((words) => `(${words.map(has).join(' and ')})`).join(' or ') || 'true'
}

const since = (given: string) => {
  const time = moment(given)
  if (time === null) throw badInput('this is no ISO 8601 date or timestamp', 'modifiedSince')
  return time
}

/** Also finds a row in the trash. */
const positionOf = (table: Table, rowId: string, bind: Bind) =>
  `(select a.position from data_api.rows a where a.organization_id = ${bind(table.organizationId)}
    and a.table_id = ${literal(table.id)} and a.id = ${bind(rowId)}::text)`

const hasDocument = (templates: readonly string[], bind: Bind) =>
  `exists (select from data_api.contents c where c.organization_id = r.organization_id
    and c.table_id = r.table_id and c.row_id = r.id
    and c.template_id = any(${bind(listed(templates, 'templatePaths'))}::text[]))`

/** The rows of a table that are not in the trash. */
const fromTable = (table: Table, bind: Bind, isRemoved = false): string =>
  `from data_api.rows r where r.organization_id = ${bind(table.organizationId)}
    and r.table_id = ${literal(table.id)} and r.removed_at is ${isRemoved ? 'not ' : ''}null`

const selectedFrom = (table: Table, selection: Selection, bind: Bind) => {
  const { condition, ids, after, removed, search, modifiedSince, templates } = selection
  const written = condition && conditionSql(table, condition, bind)
  const parts = [
    ...(written ? [written.sql] : []),
    ...(ids ? [`r.id = any(${bind(listed(ids, 'in').filter(isRowId))}::text[])`] : []),
    ...(after ? [`r.position > ${positionOf(table, after, bind)}`] : []),
    ...(search ? [searchSql(search, bind)] : []),
    ...(modifiedSince ? [`r.updated_at >= ${bind(since(modifiedSince))}::timestamptz`] : []),
    ...(templates ? [hasDocument(templates, bind)] : []),
  ]
  const text = [fromTable(table, bind, removed), ...parts.map((part) => `(${part})`)]
  return { text: text.join(' and '), isScan: written?.isScan ?? false }
}

/** Rows without a value come first; in descending order everything is the other way round. */
const orderOf = (table: Table, sort: NonNullable<Range['sort']>) => {
  if (sort.length > limits.sorts) throw badInput(`at most ${limits.sorts} fields`, 'sort')
  const columns = sort.map(({ field, descending }) => ({ ...columnOf(table, field), descending }))
  const direction = (descending = false) => (descending ? 'desc nulls last' : 'asc nulls first')
  const keys = columns.map(({ order, descending }) => `${order} ${direction(descending)}`)
  return {
    text: [...keys, `r.position ${columns[0]?.descending ? 'desc' : 'asc'}`].join(', '),
    isScan: columns.some(({ isScanned, order, key }) => isScanned || order !== key),
  }
}

/** Lookups and rollups, which are calculated when they are read. */
const calculatedSql = (table: Table, fields: readonly Field[]) => {
  const pairs = fields
    .filter(({ via }) => via !== null)
    .map((field) => `${literal(field.id)}::text, ${columnOf(table, field).cell}`)
  return pairs.length > 0 ? ` || jsonb_build_object(${pairs.join(', ')})` : ''
}

/** @throws Fault if the selection or the range is invalid */
export const selectStatement = (table: Table, selection: Selection, range: Range): Statement => {
  const { values, bind } = createParameters()
  const { sort = [], limit, skip = 0, only } = range
  if (skip > limits.skip) throw badInput(`at most ${limits.skip}`, 'skip')
  const from = selectedFrom(table, selection, bind)
  const order = orderOf(table, sort)
  const fields = table.fields.filter(({ id }) => only?.includes(id) ?? true)
  const text = `select r.id, r.created_at as "createdAt", r.updated_at as "updatedAt",
      r.cells${calculatedSql(table, fields)} as values
    ${from.text} order by ${order.text} limit ${bind(limit)} offset ${bind(skip)}`
  return { text, values, isScan: from.isScan || order.isScan }
}

/** @throws Fault if the selection is invalid */
export const countStatement = (table: Table, selection: Selection): Statement => {
  const { values, bind } = createParameters()
  const { text, isScan } = selectedFrom(table, selection, bind)
  return { text: `select count(*)::integer as count ${text}`, values, isScan }
}

/** Counts the rows of a table, but not many more than may be scanned. */
export const sizeStatement = (table: Table): Statement => {
  const { values, bind } = createParameters()
  const some = `select ${fromTable(table, bind)} limit ${limits.scanned + 1}`
  return { text: `select count(*)::integer as count from (${some}) s`, values, isScan: false }
}
