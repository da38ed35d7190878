import { type Column, columnOf, literal } from './columns.ts'
import { type Condition, conditionSql } from './conditions.ts'
import { badInput } from './faults.ts'
import type { Field } from './fields.ts'
import { isRowId } from './ids.ts'
import { limits } from './limits.ts'
import { moment } from './operands.ts'
import type { Bind } from './operators.ts'
import type { Table } from './table.ts'
import { readText } from './texts.ts'
import type { Kind } from './types.ts'

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

export interface Sort {
  field: Field
  descending: boolean
}

/** Rows with one value of a field; its key is null if they have none. */
export interface Group extends Sort {
  key: string | null
}

/** A page and its order; the default is the order of insertion. */
export interface Range {
  /** These fields come first in the order, with one value each. */
  within?: readonly Group[]
  sort?: readonly Sort[]
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

/** An order has an index if it is that of the key. */
const isIndexed = ({ isScanned, order, key }: Column) => !isScanned && order === key

/**
 * Rows without a value come first; in descending order everything is the other way round. @returns
 * the order, and conditions for its parts, one after the other: the rows without a value are often
 * many, and the planner takes each part on its own
 */
const orderOf = (table: Table, { within = [], sort = [] }: Range) => {
  if (within.length + sort.length > limits.sorts)
    throw badInput(`at most ${limits.sorts} fields`, 'sort')
  const columns = sort.map(({ field, descending }) => ({ ...columnOf(table, field), descending }))
  const direction = (descending = false) => (descending ? 'desc nulls last' : 'asc nulls first')
  const keys = columns.map(({ order, descending }) => `${order} ${direction(descending)}`)
  const isDescending = (within[0] ?? sort[0])?.descending
  const [first] = columns
  const hasParts = first && first.kind !== 'moment' && isIndexed(first)
  const parts = hasParts ? [`${first.key} is null`, `${first.key} is not null`] : ['true']
  return {
    text: [...keys, `r.position ${isDescending ? 'desc' : 'asc'}`].join(', '),
    parts: first?.descending ? parts.toReversed() : parts,
    isScan: !columns.every(isIndexed),
  }
}

const casts: Partial<Record<Kind, string>> = {
  number: 'numeric',
  amount: 'numeric',
  boolean: 'boolean',
  moment: 'timestamptz',
}

const groupSql = (table: Table, { field, key: value }: Group, bind: Bind) => {
  const { kind, key } = columnOf(table, field)
  return value === null ? `${key} is null` : `${key} = ${bind(value)}::${casts[kind] ?? 'text'}`
}

/** Lookups and rollups, which are calculated when they are read. */
const calculatedSql = (table: Table, fields: readonly Field[]) => {
  const pairs = fields
    .filter(({ via }) => via !== null)
    .map((field) => `${literal(field.id)}::text, ${columnOf(table, field).cell}`)
  return pairs.length > 0 ? ` || jsonb_build_object(${pairs.join(', ')})` : ''
}

/** The rows of a page in their order, as `r`, with some columns. */
const pageOf = (table: Table, selection: Selection, range: Range, columns: readonly string[]) => {
  const { values, bind } = createParameters()
  const { within = [], limit, skip = 0 } = range
  if (skip > limits.skip) throw badInput(`at most ${limits.skip}`, 'skip')
  const from = selectedFrom(table, selection, bind)
  const order = orderOf(table, range)
  const conditions = within.map((group) => ` and ${groupSql(table, group, bind)}`)
  const rows = `select ${columns.join(', ')} ${from.text}${conditions.join('')}`
  const bounds = `limit ${bind(limit)} offset ${bind(skip)}`
  const end = bind(skip + limit)
  const parts = order.parts.map(
    (part) => `(${rows} and ${part} order by ${order.text} limit ${end})`,
  )
  return {
    text: `from (select * from (${parts.join(' union all ')}) r ${bounds}) r`,
    values,
    isScan: from.isScan || order.isScan,
  }
}

/** @throws Fault if the selection or the range is invalid */
export const selectStatement = (table: Table, selection: Selection, range: Range): Statement => {
  const columns = ['id', 'organization_id', 'cells', 'created_at', 'updated_at']
  const page = pageOf(
    table,
    selection,
    range,
    columns.map((name) => `r.${name}`),
  )
  const fields = table.fields.filter(({ id }) => range.only?.includes(id) ?? true)
  const text = `select r.id, r.created_at as "createdAt", r.updated_at as "updatedAt",
      r.cells${calculatedSql(table, fields)} as values ${page.text}`
  return { ...page, text }
}

/** The ids of a page, with the key of a field. @throws Fault as above */
export const keysStatement = (
  table: Table,
  selection: Selection,
  range: Range,
  field: Field,
): Statement => {
  const { key } = columnOf(table, field)
  const page = pageOf(table, selection, range, ['r.id', `${key}::text as key`])
  return { ...page, text: `select r.id, r.key ${page.text}` }
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
