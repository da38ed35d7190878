import type { Field } from './fields.ts'
import type { Table } from './table.ts'
import { isReference, type Kind, typeOf } from './types.ts'

/** A field of a row as SQL. Ids and collations within it were made or checked by this program. */
export interface Column {
  kind: Kind
  /** The value: an object with `val`; null if it is not set. */
  cell: string
  /** `val` as text. */
  text: string
  /** `text` without case. */
  lower: string
  /** The beginning of `lower`, for an index. */
  beginning: string
  /** Another text without case, by the same rules. */
  folded(text: string): string
  /** Compares and sorts; null if there is no value. */
  key: string
  /** For the order of rows; differs from the key for references. */
  order: string
  /** Without an index. */
  isScanned: boolean
}

/** Characters of a text that its key and its beginning have; an index cannot have all. */
export const keyLength = 100

/** @throws Error for text that could end the literal */
export const literal = (id: string): string => {
  if (!/^[a-z]{3}[0-9a-f]+$/.test(id)) throw new Error('not an id')
  return `'${id}'`
}

const collate = (collation: string): string => {
  if (!/^[\w-]+$/.test(collation)) throw new Error('not a collation')
  return `collate "${collation}"`
}

export const kindOf = ({ type, result }: Pick<Field, 'type' | 'result'>): Kind =>
  typeOf(type).kind ?? result ?? 'text'

const isoOf = (moment: string) =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const momentOf = ({ type }: Field, row: string): string | null => {
  if (type === 'createdAt') return `${row}.created_at`
  return type === 'updatedAt' ? `${row}.updated_at` : null
}

const storedCell = (field: Field, row: string) => {
  const moment = momentOf(field, row)
  if (moment) return `jsonb_build_object('val', ${isoOf(moment)})`
  return `(${row}.cells -> ${literal(field.id)})`
}

/** The partition with the rows of a table, in the schema `data_api`. */
export const partitionOf = ({ id }: Table): string => {
  if (!/^tbl[0-9a-f]{24}$/.test(id)) throw new Error('not the id of a table')
  return `rows_${id}`
}

/** Collects something of the rows that a field refers to, as far as they exist, in their order. */
const gathered = (via: Field, target: Table, row: string, collected: string) => {
  const val = `${row}.cells -> ${literal(via.id)} -> 'val'`
  const ids = `case jsonb_typeof(${val}) when 'array' then ${val}
    when 'string' then jsonb_build_array(${val}) else '[]' end`
  // The offset makes it look up each row by its id: the planner expects far more ids.
  return `(select ${collected} from jsonb_array_elements_text(${ids}) with ordinality as i (id, at)
    cross join lateral (select * from data_api.rows s where s.organization_id = ${row}.organization_id
      and s.table_id = ${literal(target.id)} and s.id = i.id and s.removed_at is null offset 0) t)`
}

/** Of lookups and rollups. */
const calculation = ({ type, fn }: Field, via: Field, target: Field | undefined): string => {
  if (type === 'rollup' && fn === 'count') return "jsonb_build_object('val', count(*))"
  if (!target) return 'null::jsonb'
  const cell = storedCell(target, 't')
  const val = `(${cell} ->> 'val')`
  if (type === 'lookup')
    return via.type === 'ref'
      ? `jsonb_agg(${cell}) -> 0`
      : `jsonb_build_object('val',
          jsonb_agg(${cell} -> 'val' order by i.at) filter (where ${val} is not null))`
  const number = `${val}::numeric`
  const isDate = ['date', 'moment'].includes(kindOf(target))
  const ordered = isDate ? `${val} collate "C"` : number
  const results: Record<string, string> = {
    sum: `sum(${number})`,
    average: `round(avg(${number}), 10)`,
    min: `min(${ordered})`,
    max: `max(${ordered})`,
  }
  return `jsonb_build_object('val', ${results[fn ?? ''] ?? 'null'})`
}

/** References to a table that the caller does not reach look empty. */
const cellOf = (table: Table, field: Field, row: string): string => {
  const via = table.fields.find(({ id }) => id === (field.via ?? field.id))
  const target = via?.database && table.targets.get(via.database)
  if (isReference(field.type) && !target)
    return `(case when ${row}.cells ? ${literal(field.id)} then '{"val": null}'::jsonb end)`
  if (!field.via) return storedCell(field, row)
  if (!via || !target) return 'null::jsonb'
  const looked = target.fields.find(({ id }) => id === field.target)
  return gathered(via, target, row, calculation(field, via, looked))
}

/** The labels of references, joined. */
const labelOf = (table: Table, field: Field, row: string) => {
  const target = field.database && table.targets.get(field.database)
  if (!target) return 'null::text'
  const primary = target.fields.find((one) => one.primary)
  const label = primary ? `coalesce(${storedCell(primary, 't')} ->> 'val', '')` : 't.id'
  return `left(${gathered(field, target, row, `string_agg(${label}, ', ' order by i.at)`)}, 100)`
}

/** @param row the alias of the row in the statement */
export const columnOf = (table: Table, field: Field, row = 'r'): Column => {
  const kind = kindOf(field)
  const cell = cellOf(table, field, row)
  const text = `(${cell} ->> 'val')`
  const inWords = collate(table.collation)
  const words = `(left(${text}, ${keyLength}) ${inWords})`
  const byCharacter = `(${text} collate "C")`
  const keys: Record<Kind, string> = {
    text: words,
    choice: words,
    choices: words,
    number: `(${text}::numeric)`,
    amount: `(${text}::numeric)`,
    boolean: `(${text}::boolean)`,
    date: byCharacter,
    reference: byCharacter,
    references: words,
    file: `(left(${text}, ${keyLength}) collate "C")`,
    moment: momentOf(field, row) ?? byCharacter,
  }
  const key = keys[kind]
  const order = isReference(field.type) ? `(${labelOf(table, field, row)} ${inWords})` : key
  const folded = (one: string) => `lower(${one} ${inWords})`
  const lower = folded(text)
  const beginning = `(left(${lower}, ${keyLength}) collate "C")`
  return {
    kind,
    cell,
    text,
    lower,
    beginning,
    folded,
    key,
    order,
    isScanned: field.via !== null,
  }
}
