import { badInput, Fault, notFound } from '../data/faults.ts'
import { limits } from '../data/limits.ts'
import type { NewField } from '../data/new-field.ts'
import type { Table } from '../data/table.ts'
import { isReference, typeNamed, typeNames } from '../data/types.ts'
import type { Column } from '../data/values.ts'
import { homeOf, ownRecordIds, readId } from './ids.ts'

export interface FieldInput {
  name: string
  type: string
  required?: boolean | null
  choices?: string[] | null
  table?: string | null
  via?: string | null
  field?: string | null
  fn?: string | null
  expression?: string | null
}

const tooMany = () => badInput(`at most ${limits.fields} fields`, 'fields')

const isObject = (one: unknown): one is Record<string, unknown> =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

/** References are written with the ids that were read; the data layer takes own ids. */
const ownValue = (table: Table, id: string, value: unknown): unknown => {
  const field = table.fields.find((one) => one.id === id)
  if (!field || !isReference(field.type) || !isObject(value)) return value
  const { val } = value
  if (Array.isArray(val) && val.length > limits.listed) return value
  const target = table.targets.get(field.database ?? '')
  return { val: ownRecordIds(target ? homeOf(target) : '', val) }
}

/** @throws Fault if one is no field of this table */
export const columnsOf = (table: Table, given: readonly Column[]): Column[] => {
  if (given.length > limits.fields) throw tooMany()
  return given.map(({ fieldId, value }, at) => {
    const read = readId(fieldId, 'fld')
    if (read?.home !== homeOf(table)) throw notFound('field', `fields[${at}].fieldId`)
    return { fieldId: read.id, value: ownValue(table, read.id, value) }
  })
}

/** A field by its id on the wire, or by its name. */
const fieldWord = (given: string | null | undefined) => readId(given, 'fld')?.id ?? given ?? null

/** @throws Fault if there is no such type, or too many fields */
export const newFieldsOf = (given: readonly FieldInput[]): NewField[] => {
  if (given.length > limits.fields) throw tooMany()
  return given.map(({ name, type, required, choices, table, via, field, ...rest }, at) => {
    const known = typeNamed('current', type)
    if (!known) throw badInput('there is no such type', `fields[${at}].type`, typeNames('current'))
    return {
      ...rest,
      name,
      type: known,
      required: required ?? false,
      restrict: choices ?? null,
      database: readId(table, 'tbl')?.id ?? null,
      via: fieldWord(via),
      field: fieldWord(field),
    }
  })
}

/** The words of this interface for places in the input that the data layer names. */
const placeWords: [found: RegExp, word: string][] = [
  [/^restrict$/, 'choices'],
  [/\.restrict$/, '.choices'],
  [/\.database$/, '.table'],
]

/** @throws the error, with the place as this interface names it */
export const rethrowHere = (error: unknown): never => {
  if (!(error instanceof Fault)) throw error
  const { place, ...extensions } = error.extensions
  if (place === undefined) throw error
  const here = placeWords.reduce((text, [found, word]) => text.replace(found, word), place)
  throw new Fault(error.message.slice(place.length + 2), { ...extensions, place: here })
}
