import { type Condition, readCriterion } from '../data/conditions.ts'
import { badInput } from '../data/faults.ts'
import { type Field, fieldOf } from '../data/fields.ts'
import { limits } from '../data/limits.ts'
import type { Table } from '../data/table.ts'
import { isReference } from '../data/types.ts'
import { takesList } from '../data/words.ts'

type Json = Record<string, unknown>

/** Finds the table of a reference; null if the caller does not reach it. */
type FindTarget = (field: Field) => Promise<Table | null>

const listKeys = ['values', 'otherValues']
const otherWords = ['is-empty', 'is-not-set']

const objectOf = (one: unknown, place: string): Json => {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw badInput('this is no object', place)
  return one as Json
}

const checkKeys = (given: Json, place: string, keys: readonly string[]) => {
  const wrong = Object.keys(given).find((key) => !keys.includes(key))
  if (wrong !== undefined)
    throw badInput('there is no such key', `${place}.${wrong.slice(0, 50)}`, keys)
}

const comparisonOf = (field: Field, given: Json, place: string): Condition => {
  checkKeys(given, place, ['by', 'value', 'currency'])
  const { by, value, currency } = given
  const places = {
    operator: `${place}.by`,
    operand: `${place}.value`,
    currency: `${place}.currency`,
  }
  return readCriterion(field, 'legacy', { operator: by, operand: value, currency, places })
}

/** `{values, otherValues}`; one of the two must hold. */
const choiceOf = (field: Field, given: Json, place: string): Condition => {
  checkKeys(given, place, listKeys)
  const entriesOf = (key: string): unknown[] => {
    const list = given[key] ?? []
    if (!Array.isArray(list)) throw badInput('this is no list', `${place}.${key}`)
    if (list.length > limits.listed)
      throw badInput(`at most ${limits.listed} entries`, `${place}.${key}`)
    return list
  }
  const criterion = (operator: unknown, operand: unknown, at: string) =>
    readCriterion(field, 'legacy', {
      operator,
      ...(operand !== null && { operand }),
      places: { operator: at, operand: at, currency: at },
    })
  const [values, others] = [entriesOf('values'), entriesOf('otherValues')]
  const words = others.map((word, at) => {
    const where = `${place}.otherValues[${at}]`
    if (!otherWords.includes(word as string))
      throw badInput('there is no such word', where, otherWords)
    return criterion(word, null, where)
  })
  if (values.length === 0) return { any: words }
  return { any: [criterion('has-any-of', values, `${place}.values`), ...words] }
}

/** Reads one filter; all of it is bounded before anything runs. */
const createReader = (findTarget: FindTarget) => {
  let count = 0
  /** By reference, so that each is looked for once. */
  const targets = new Map<string, Promise<Table | null>>()
  const targetOf = (field: Field) => {
    const target = targets.get(field.id) ?? findTarget(field)
    targets.set(field.id, target)
    return target
  }

  const stepOf = async (via: Field, given: Json, place: string, depth: number) => {
    // A table that the caller does not reach has no fields for it.
    const table = await targetOf(via)
    if (!table) {
      const [first = ''] = Object.keys(given)
      fieldOf([], first, `${place}.${first.slice(0, 50)}`)
      throw badInput('there is no such database', place)
    }
    return { via, table, condition: await allOf(table, given, place, depth + 1) }
  }

  const partOf = async (field: Field, one: unknown, place: string, depth: number) => {
    const given = objectOf(one, place)
    if (!takesList(field)) return comparisonOf(field, given, place)
    if (given.by !== undefined)
      throw badInput('this field is filtered by lists', `${place}.by`, listKeys)
    if (!isReference(field.type)) return choiceOf(field, given, place)
    const entries = Object.entries(given)
    const listed = entries.filter(([key]) => listKeys.includes(key))
    if (listed.length === entries.length) return choiceOf(field, given, place)
    const nested = Object.fromEntries(entries.filter((entry) => !listed.includes(entry)))
    const step = await stepOf(field, nested, place, depth)
    if (listed.length === 0) return step
    return { all: [choiceOf(field, Object.fromEntries(listed), place), step] }
  }

  const allOf = async (
    { fields }: Table,
    filter: unknown,
    place: string,
    depth: number,
  ): Promise<Condition> => {
    const entries = Object.entries(objectOf(filter, place))
    count += entries.length
    if (count > limits.conditions || depth > limits.depth)
      throw badInput(
        `a filter has at most ${limits.conditions} conditions and ${limits.depth} references within each other`,
        'filter',
      )
    const all: Condition[] = []
    for (const [id, one] of entries) {
      const at = `${place}.${id.slice(0, 50)}`
      all.push(await partOf(fieldOf(fields, id, at), one, at, depth))
    }
    return { all }
  }
  return allOf
}

/**
 * Reads a filter of the legacy interface: criteria by field id, all of which must hold; those on a
 * reference may be criteria on the fields of its database. @throws Fault
 */
export const readFilter = (
  table: Table,
  filter: unknown,
  findTarget: FindTarget,
): Promise<Condition> =>
  filter === null || filter === undefined
    ? Promise.resolve({ all: [] })
    : createReader(findTarget)(table, filter, 'filter', 0)
