import type { Condition, Criterion } from '../data/conditions.ts'
import { badInput } from '../data/faults.ts'
import { type Field, fieldOf } from '../data/fields.ts'

type Json = Record<string, unknown>

const isObject = (one: unknown): one is Json =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

/** Here "empty" means emptied; unset values have an operator of their own. */
const wordFor = (by: string) => (by === 'is-empty' ? 'is-emptied' : by)

const otherValue = (field: Field, word: unknown): Criterion => {
  if (word !== 'is-empty' && word !== 'is-not-set')
    throw badInput('otherValues are is-empty and is-not-set')
  return { field, operator: wordFor(word) }
}

/** `{values, otherValues}`; one of the two must hold. */
const choiceOf = (field: Field, { values = [], otherValues = [] }: Json): Condition => {
  if (!Array.isArray(values) || !Array.isArray(otherValues))
    throw badInput('values and otherValues are lists')
  const among = { field, operator: 'has-any-of', operand: values }
  return { any: [among, ...otherValues.map((word) => otherValue(field, word))] }
}

const criterionOf = (field: Field, filter: unknown): Condition => {
  if (!isObject(filter)) throw badInput(`the filter of the field ${field.id} is no object`)
  const { by, value, currency } = filter
  if (by === undefined && (field.type === 'enum' || field.type === 'enumTags'))
    return choiceOf(field, filter)
  // This operator belongs to the other interface.
  if (typeof by !== 'string' || by.startsWith('has-no')) throw badInput('a filter has `by`')
  return { field, operator: wordFor(by), operand: value, currency }
}

/**
 * Reads a filter of the legacy interface: criteria by field id, all of which must hold. @throws
 * Fault
 */
export const readFilter = (fields: readonly Field[], filter: unknown): Condition => {
  if (filter === null || filter === undefined) return { all: [] }
  if (!isObject(filter)) throw badInput('a filter is an object')
  const criteria = Object.entries(filter)
  return { all: criteria.map(([id, one]) => criterionOf(fieldOf(fields, id), one)) }
}
