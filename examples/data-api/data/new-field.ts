import { kindOf } from './columns.ts'
import { badInput, notFound } from './faults.ts'
import { type Field, type Rollup, rollups } from './fields.ts'
import { readFormula } from './formulas.ts'
import { newId } from './ids.ts'
import { limits } from './limits.ts'
import type { Table } from './table.ts'
import { nameIn } from './texts.ts'
import { type FieldType, isComputed, isDropdown, isReference, type Kind } from './types.ts'

export interface NewField {
  name: string
  type: FieldType
  required?: boolean | null
  restrict?: readonly string[] | null
  /** The id of the table of a reference. */
  database?: string | null
  /** Lookup and rollup: a reference of the same table, and a field of its table, by id or name. */
  via?: string | null
  field?: string | null
  fn?: string | null
  expression?: string | null
}

/** What a new field can refer to. */
export interface Surroundings {
  fields: readonly Field[]
  /** The tables that references may lead to, by id. */
  targets: ReadonlyMap<string, Table>
}

type Parts = Partial<
  Pick<Field, 'restrict' | 'database' | 'via' | 'target' | 'fn' | 'formula' | 'result'>
>

/** @throws Fault if the choices do not fit the type */
export const readChoices = (
  type: FieldType,
  restrict: readonly string[] | null | undefined,
  place: string,
): string[] | null => {
  const choices = [...new Set(restrict ?? [])]
  if (isDropdown(type) !== choices.length > 0)
    throw badInput('a dropdown has choices, and nothing else has', place)
  if (choices.length > limits.listed) throw badInput(`at most ${limits.listed} choices`, place)
  for (const choice of choices) nameIn(choice, place, limits.choice)
  return isDropdown(type) ? choices : null
}

const named = (fields: readonly Field[], word: string | null | undefined, place: string): Field => {
  const field = fields.find(({ id }) => id === word) ?? fields.find(({ name }) => name === word)
  if (!field) throw notFound('field', place)
  return field
}

const targetOf = ({ targets }: Surroundings, id: string | null | undefined, place: string) => {
  const table = targets.get(id ?? '')
  if (!table) throw notFound('table', place)
  return table
}

/** The field whose values a lookup or a rollup collects: one that is stored in its row. */
const collectedField = (table: Table, word: string | null | undefined, place: string) => {
  const found = named(table.fields, word, place)
  if (found.via || isReference(found.type))
    throw badInput('references, lookups and rollups cannot be looked up', place)
  return found
}

const dateOr = (kind: Kind) => (kind === 'moment' ? 'date' : kind)

const lookupParts = (given: NewField, around: Surroundings, place: string): Parts => {
  const via = viaOf(given, around, place)
  const table = targetOf(around, via.database, `${place}.via`)
  const target = collectedField(table, given.field, `${place}.field`)
  const result = via.type === 'ref' ? dateOr(kindOf(target)) : 'choices'
  return { via: via.id, target: target.id, result }
}

const viaOf = ({ via }: NewField, { fields }: Surroundings, place: string): Field => {
  const found = named(fields, via, `${place}.via`)
  if (!isReference(found.type)) throw badInput('via is a reference', `${place}.via`)
  return found
}

const rollupParts = (given: NewField, around: Surroundings, place: string): Parts => {
  const via = viaOf(given, around, place)
  const table = targetOf(around, via.database, `${place}.via`)
  const fn = rollups.find((one) => one === given.fn)
  if (!fn) throw badInput('there is no such function', `${place}.fn`, rollups)
  if (fn === 'count') return { via: via.id, fn, result: 'number' }
  const target = collectedField(table, given.field, `${place}.field`)
  return { via: via.id, target: target.id, fn, result: rolledKind(fn, kindOf(target), place) }
}

const rolledKind = (fn: Rollup, kind: Kind, place: string): Kind => {
  if (kind === 'number' || kind === 'amount') return 'number'
  if ((fn === 'min' || fn === 'max') && dateOr(kind) === 'date') return 'date'
  throw badInput(`there is no ${fn} of such a field`, `${place}.field`)
}

const parts = ['database', 'via', 'field', 'fn', 'expression'] as const

/** What fields of a type refer to. */
const taken: Partial<Record<FieldType, readonly (typeof parts)[number][]>> = {
  ref: ['database'],
  refMultiple: ['database'],
  lookup: ['via', 'field'],
  rollup: ['via', 'field', 'fn'],
  formula: ['expression'],
}

const checkParts = (given: NewField, place: string) => {
  const extra = parts.find(
    (part) => (given[part] ?? null) !== null && !taken[given.type]?.includes(part),
  )
  if (extra) throw badInput('a field of this type has none', `${place}.${extra}`)
}

const partsOf = (given: NewField, around: Surroundings, place: string): Parts => {
  checkParts(given, place)
  switch (given.type) {
    case 'ref':
    case 'refMultiple':
      return { database: targetOf(around, given.database, `${place}.database`).id }
    case 'lookup':
      return lookupParts(given, around, place)
    case 'rollup':
      return rollupParts(given, around, place)
    case 'formula':
      return readFormula(given.expression, around.fields, `${place}.expression`)
    default:
      return { restrict: readChoices(given.type, given.restrict, `${place}.restrict`) }
  }
}

/** Labels are values that are stored in the row. */
const canBePrimary = (type: FieldType) =>
  type === 'formula' || (!isComputed(type) && !isReference(type) && type !== 'attachment')

/** @throws Fault if the field has no name, no choice, or refers to nothing */
export const createField = (
  given: NewField,
  around: Surroundings,
  { place, primary = false }: { place: string; primary?: boolean },
): Field => ({
  id: newId('fld'),
  name: nameIn(given.name, `${place}.name`),
  type: given.type,
  primary: primary && canBePrimary(given.type),
  required: given.required ?? false,
  restrict: null,
  database: null,
  via: null,
  target: null,
  fn: null,
  formula: null,
  result: null,
  ...partsOf(given, around, place),
})

/** Each field can refer to those before it; the first one is the primary field. */
export const createFields = (
  given: readonly NewField[],
  targets: Surroundings['targets'],
  { place, hasPrimary }: { place: string; hasPrimary: boolean },
): Field[] => {
  if (given.length > limits.fields) throw badInput(`at most ${limits.fields} fields`, place)
  const fields: Field[] = []
  for (const [at, one] of given.entries()) {
    const options = { place: `${place}[${at}]`, primary: hasPrimary && at === 0 }
    fields.push(createField(one, { fields, targets }, options))
  }
  return fields
}
