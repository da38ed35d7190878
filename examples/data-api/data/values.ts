import { currencies, isCurrency } from './currencies.ts'
import { dateForms, readDate } from './dates.ts'
import { badInput } from './faults.ts'
import { type Field, fieldOf } from './fields.ts'
import { isRowId } from './ids.ts'
import { limits } from './limits.ts'
import { readText } from './texts.ts'
import { type FieldType, isComputed } from './types.ts'

/**
 * The value of a field in a row. An emptied field has a value whose `val` is null; an unset field
 * has no value.
 */
export interface Value {
  val: string | number | boolean | readonly unknown[] | null
  /** Of amounts. */
  currency?: string
  /** Of attachments: bytes and MIME type. */
  size?: number
  type?: string
  /** Of references, when read. */
  _label?: string | string[]
}

/** By field id; absent fields are not set. */
export type Values = Record<string, Value>

/** As given, before it is parsed. */
export interface Column {
  fieldId: string
  value?: unknown
}

type Json = Record<string, unknown>

/** @returns null if it is not of the type */
type Reader = (given: Json, field: Field) => Value | null

const valueOr = (val: Value['val']): Value | null => (val === null ? null : { val })

const textOf =
  (most: number): Reader =>
  ({ val }) =>
    valueOr(readText(val, most))

const listOf = (given: unknown, most: number, isEntry: (one: unknown) => boolean): Value | null =>
  Array.isArray(given) && given.length <= most && given.every(isEntry)
    ? { val: [...new Set(given)] }
    : null

const readAmount: Reader = ({ val, currency }) =>
  Number.isFinite(val) && isCurrency(currency) ? { val: val as number, currency } : null

type Writable = Exclude<FieldType, 'lookup' | 'createdAt' | 'updatedAt' | 'formula' | 'rollup'>

const readers: Record<Writable, [reader: Reader, takes: string]> = {
  string: [textOf(limits.text), `a text of at most ${limits.text} characters`],
  textBlock: [textOf(limits.longText), `a text of at most ${limits.longText} characters`],
  number: [({ val }) => (Number.isFinite(val) ? { val: val as number } : null), 'a number'],
  boolean: [({ val }) => (typeof val === 'boolean' ? { val } : null), 'true or false'],
  date: [({ val }) => valueOr(typeof val === 'string' ? readDate(val) : null), dateForms],
  currency: [readAmount, 'a number and a currency'],
  attachment: [
    ({ val }) => valueOr(readText(val, Number.POSITIVE_INFINITY)),
    'a URL, or an image in Base64',
  ],
  enum: [
    ({ val }, { restrict }) => valueOr(restrict?.find((choice) => choice === val) ?? null),
    'one of its choices',
  ],
  enumTags: [
    ({ val }, { restrict }) =>
      listOf(val, limits.listed, (one) => restrict?.includes(one as string) ?? false),
    'a list of its choices',
  ],
  ref: [({ val }) => (isRowId(val) ? { val } : null), 'the id of a row'],
  refMultiple: [
    ({ val }) => listOf(val, limits.references, isRowId),
    `a list of at most ${limits.references} ids of rows`,
  ],
}

const isEmpty = (val: unknown) =>
  val === null || val === '' || (Array.isArray(val) && val.length === 0)

const readValue = (field: Field, given: unknown, place: string): Value => {
  const { id, type, restrict } = field
  if (isComputed(type)) throw badInput(`the field ${id} is calculated`, place)
  if (typeof given !== 'object' || !('val' in given!))
    throw badInput(`the value of the field ${id} is no object with \`val\``, place)
  if (isEmpty(given.val)) {
    if (field.required) throw badInput(`the field ${id} is required`, place)
    return { val: null }
  }
  const [reader, takes] = readers[type as Writable]
  const value = reader(given as Json, field)
  if (value) return value
  const isAmount = type === 'currency' && Number.isFinite(given.val)
  throw badInput(
    `the field ${id} takes ${takes}`,
    `${place}.${isAmount ? 'currency' : 'val'}`,
    isAmount ? currencies : (restrict ?? undefined),
  )
}

/**
 * Reads the values to be written. Absent fields are not checked, even if required. The value null
 * is that of a field that was never set, so it leaves the field as it is. @param place of the list
 * in the input @throws Fault for an unknown or calculated field, a value of another type, and an
 * empty one where one is required
 */
export const readColumns = (
  fields: readonly Field[],
  cols: readonly Column[],
  place: string,
): Values => {
  if (cols.length > limits.fields) throw badInput(`at most ${limits.fields} fields`, place)
  const values: Values = {}
  const given = new Set<string>()
  for (const [at, { fieldId, value }] of cols.entries()) {
    const field = fieldOf(fields, fieldId, `${place}[${at}].fieldId`)
    if (given.has(fieldId)) throw badInput('a field is given twice', `${place}[${at}].fieldId`)
    given.add(fieldId)
    if (value !== null && value !== undefined)
      values[fieldId] = readValue(field, value, `${place}[${at}].value`)
  }
  return values
}

/** The place of each field in the input. */
export const placesOf = (cols: readonly Column[], place: string): Map<string, string> =>
  new Map(cols.map(({ fieldId }, at) => [fieldId, `${place}[${at}].value.val`]))
