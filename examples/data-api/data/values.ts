import { isCurrency } from './currencies.ts'
import { readDate } from './dates.ts'
import { badInput } from './faults.ts'
import { type Field, type FieldType, fieldOf } from './fields.ts'

/**
 * The value of a field in a row. An emptied field has a value whose `val` is null; an unset field
 * has no value.
 */
export interface Value {
  val: string | number | boolean | string[] | null
  /** Of amounts. */
  currency?: string
}

/** As given, before it is parsed. */
export interface Column {
  fieldId: string
  value: unknown
}

type Json = Record<string, unknown>

/** @returns null if it is not of the type */
type Reader = (given: Json, field: Field) => Value | null

const readText: Reader = ({ val }) => (typeof val === 'string' ? { val } : null)

const readTags: Reader = ({ val }, { restrict }) => {
  if (!Array.isArray(val) || !val.every((one) => restrict?.includes(one))) return null
  return { val: [...new Set(val)] }
}

const readers: Record<FieldType, [reader: Reader, takes: string]> = {
  string: [readText, 'a text'],
  textBlock: [readText, 'a text'],
  number: [({ val }) => (Number.isFinite(val) ? { val: val as number } : null), 'a number'],
  boolean: [({ val }) => (typeof val === 'boolean' ? { val } : null), 'true or false'],
  date: [
    ({ val }) => {
      const date = typeof val === 'string' ? readDate(val) : null
      return date === null ? null : { val: date }
    },
    'a date',
  ],
  currency: [
    ({ val, currency }) =>
      Number.isFinite(val) && isCurrency(currency) ? { val: val as number, currency } : null,
    'a number and a currency',
  ],
  enum: [
    ({ val }, { restrict }) =>
      typeof val === 'string' && restrict?.includes(val) ? { val } : null,
    'one of its choices',
  ],
  enumTags: [readTags, 'a list of its choices'],
}

const isEmpty = (val: unknown) =>
  val === null || val === '' || (Array.isArray(val) && val.length === 0)

const readValue = (field: Field, given: unknown): Value => {
  const { id, type, required } = field
  if (typeof given !== 'object' || given === null || !('val' in given))
    throw badInput(`the value of the field ${id} is no object with \`val\``)
  if (isEmpty(given.val)) {
    if (required) throw badInput(`the field ${id} is required`)
    return { val: null }
  }
  const [reader, takes] = readers[type]
  const value = reader(given as Json, field)
  if (!value) throw badInput(`the field ${id} takes ${takes}`)
  return value
}

/**
 * Reads the values to be written, by field id. Absent fields are not checked, even if required.
 * @throws Fault for an unknown field, a value of another type, and an empty one where one is
 * required
 */
export const readColumns = (
  fields: readonly Field[],
  cols: readonly Column[],
): Record<string, Value> => {
  const values = cols.map(({ fieldId, value }): [string, Value] => [
    fieldId,
    readValue(fieldOf(fields, fieldId), value),
  ])
  const byId = Object.fromEntries(values)
  if (Object.keys(byId).length < values.length) throw badInput('a field is given twice')
  return byId
}
