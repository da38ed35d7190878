// The fields of a type as columns of a table. A record of columns must have each field of its type, and statements are
// built from it once, when the server starts: Postgres returns rows by the names of the fields, so no code maps them.
import { snakeCase } from '../../../core/language/case.ts'
import type { Table } from './lists.ts'

/** How a field with values of this type is stored, where it is not simply the column of its name. */
export interface Column<Value> {
  /** Its column; the field's name in snake case by default. */
  name?: string
  /** The alias of its table in a join; the one of the other columns by default. */
  table?: string
  /** What is read. */
  read?: (column: string) => string
  /** What is written. @param column null: in a new row */
  write?: (parameter: string, column: string | null) => string
  /** What is sent to Postgres. */
  value?: (value: Value) => unknown
}

export type Columns<Row> = { readonly [Field in keyof Row]-?: Column<Row[Field]> }

/** The column of the field's name. */
export const column: Column<unknown> = {}

/** Columns of the fields' names. */
export const plain = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<Name, Column<unknown>>

/** A column of another name. */
export const named = (name: string): Column<unknown> => ({ name })

/** A column of one of the joined tables. @param table its alias */
export const of = (table: string, name?: string): Column<unknown> =>
  name === undefined ? { table } : { table, name }

/** Columns of the fields' names, of one of the joined tables. @param table its alias */
export const plainOf = <Name extends string>(table: string, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, of(table)])) as Record<Name, Column<unknown>>

/** An expression; it is not written. */
export const computed = (expression: string): Column<unknown> => ({ read: () => expression })

/**
 * An object of its own, read as JSON: times in it are text. It is not written.
 * @param found the column of the alias that is null where there is no such object; the field is null then
 */
export const nested = <Row extends object>(
  columns: Columns<Row>,
  alias: string,
  found?: string,
): Column<Row | null | undefined> => {
  const fields = entriesOf(columns).map((entry) => `'${entry[0]}', ${readFrom(entry, alias)}`)
  const object = `json_build_object(${fields.join(', ')})`
  return computed(
    found === undefined ? object : `case when ${alias}.${found} is not null then ${object} end`,
  )
}

/** JSON; an array would be sent as one of Postgres otherwise. */
export const json: Column<unknown> = {
  value: (value) => (value == null ? null : JSON.stringify(value)),
}

/** True since the time in the column; null is false. The first time stays. */
export const since = (name: string): Column<boolean> => ({
  name,
  read: (column) => `${column} is not null`,
  write: (parameter, column) =>
    `case when ${parameter} then ${column === null ? 'now()' : `coalesce(${column}, now())`} end`,
})

type Entry = [field: string, column: Column<never>]

const entriesOf = (columns: object) => Object.entries(columns) as Entry[]
const nameOf = ([field, { name }]: Entry) => name ?? snakeCase(field)
const valuesOf = (entries: Entry[], row: object) =>
  entries.map(([field, { value }]) => {
    const own = row[field as never]
    return value ? value(own) : own
  })

const readFrom = (entry: Entry, alias: string | undefined) => {
  const { table = alias, read } = entry[1]
  const own = table === undefined ? nameOf(entry) : `${table}.${nameOf(entry)}`
  return read?.(own) ?? own
}

/** What a query selects, by the names of the fields. @param alias of the table */
export const selected = <Row extends object>(columns: Columns<Row>, alias?: string) =>
  entriesOf(columns)
    .map((entry) => {
      const [field, { read }] = entry
      const isNamedAlike = read === undefined && nameOf(entry) === field
      return readFrom(entry, alias) + (isNamedAlike ? '' : ` as "${field}"`)
    })
    .join(', ')

/** The statement and the values that insert a row. @param ending after the values */
export const insertInto = <Row extends object>(
  table: string,
  columns: Columns<Row>,
  ending: string,
) => {
  const entries = entriesOf(columns)
  const parameters = entries.map(([, { write }], at) => write?.(`$${at + 1}`, null) ?? `$${at + 1}`)
  const into = `${table} (${entries.map(nameOf).join(', ')})`
  const text = `insert into ${into} values (${parameters.join(', ')}) ${ending}`
  return (row: Row) => [text, valuesOf(entries, row)] as const
}

/** `set` of an insert that finds its row: all of these columns become the new values. */
export const excluded = <Row extends object>(columns: Columns<Row>) =>
  entriesOf(columns)
    .map((entry) => `${nameOf(entry)} = excluded.${nameOf(entry)}`)
    .join(', ')

/** The statement and the values that change the row with a key, and return it. @param also further assignments */
export const updateRow = <Row extends object>(
  { table, key = 'id', columns: read }: Table,
  columns: Columns<Row>,
  ...also: string[]
) => {
  const entries = entriesOf(columns)
  const set = entries.map((entry, at) => {
    const [name, parameter] = [nameOf(entry), `$${at + 2}`]
    return `${name} = ${entry[1].write?.(parameter, name) ?? parameter}`
  })
  const text = `update ${table} set ${[...set, ...also].join(', ')} where ${key} = $1 returning ${read}`
  return (id: string, row: Row) => [text, [id, ...valuesOf(entries, row)]] as const
}
