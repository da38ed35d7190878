import { type Condition, readCriterion } from '../data/conditions.ts'
import { badInput, notFound } from '../data/faults.ts'
import { type Field, fieldOf } from '../data/fields.ts'
import { limits } from '../data/limits.ts'
import type { Table } from '../data/table.ts'
import { isReference } from '../data/types.ts'
import { operatorsOf } from '../data/words.ts'
import { homeOf, ownRecordIds, readId } from './ids.ts'

type Json = Record<string, unknown>

/** Finds the table of a reference; null if the caller does not reach it. */
type FindTarget = (field: Field) => Promise<Table | null>

const withoutOperand = ['is-empty', 'has-any-value', 'is-true', 'is-false', 'is-not-set']

const objectOf = (one: unknown, place: string, keys: readonly string[]): Json => {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw badInput('this is no object', place, keys)
  const wrong = Object.keys(one).find((key) => !keys.includes(key))
  if (wrong === undefined) return one as Json
  throw badInput('there is no such key', `${place}.${wrong.slice(0, 50)}`, keys)
}

const wordOf = (given: unknown, place: string, words: readonly string[]): string => {
  const word = words.find((one) => one === given)
  if (word === undefined) throw badInput('this is no such word', place, words)
  return word
}

/** `{}` */
const isEmpty = (right: unknown) =>
  typeof right === 'object' && Object.keys(right ?? {}).length === 0 && !Array.isArray(right)

/** A missing operator means `and` where there is nothing to combine. */
const combined = (operator: unknown, parts: readonly Condition[], place: string): Condition => {
  const isNeeded = parts.length > 1 || (operator !== undefined && operator !== null)
  const word = isNeeded ? wordOf(operator, `${place}.logicalOperator`, ['and', 'or']) : 'and'
  return word === 'or' && parts.length > 0 ? { any: [...parts] } : { all: [...parts] }
}

/** Reads the conditions of one filter; all of it is bounded before anything runs. */
const createReader = (table: Table, findTarget: FindTarget) => {
  let count = 0
  /** By reference, so that each is looked for once. */
  const targets = new Map<string, Promise<Table | null>>()

  const targetOf = (field: Field) => {
    const target = targets.get(field.id) ?? findTarget(field)
    targets.set(field.id, target)
    return target
  }

  const listOf = (given: unknown, place: string): unknown[] => {
    if (!Array.isArray(given)) throw badInput('this is no list of conditions', place)
    count += given.length
    if (count > limits.conditions)
      throw badInput(`a filter has at most ${limits.conditions} conditions`, place)
    return given
  }

  const fieldIn = ({ fields, ...place }: Table, wire: string, where: string): Field => {
    const read = readId(wire, 'fld')
    return fieldOf(fields, read?.home === homeOf(place) ? read.id : '', where)
  }

  /** The field of a condition, or a reference and a field of its table. */
  const leftOf = async (given: unknown, place: string) => {
    const { type, value } = objectOf(given, place, ['type', 'value'])
    wordOf(type, `${place}.type`, ['field'])
    const where = `${place}.value`
    if (typeof value !== 'string') throw badInput('this is no id of a field', where)
    const [wire = '', subfield, more] = value.split('.', 3)
    if (more !== undefined)
      throw badInput('one dot at most: a reference of a reference cannot be followed', where)
    const field = fieldIn(table, wire, where)
    if (subfield === undefined) return { table, field, via: null }
    if (!isReference(field.type)) throw badInput('only a reference has subfields', where)
    const target = await targetOf(field)
    if (!target) throw notFound('field', where)
    return { table: target, field: fieldIn(target, subfield, where), via: field }
  }

  const operandOf = ({ targets }: Table, field: Field, given: unknown, place: string) => {
    const { type, value, currency } = objectOf(given, place, ['type', 'value', 'currency'])
    wordOf(type, `${place}.type`, ['input'])
    if (!isReference(field.type) || (Array.isArray(value) && value.length > limits.listed))
      return { operand: value, currency }
    const target = targets.get(field.database ?? '')
    return { operand: ownRecordIds(target ? homeOf(target) : '', value) }
  }

  const conditionOf = async (one: unknown, place: string): Promise<Condition> => {
    const { left, comparison, right } = objectOf(one, place, ['left', 'comparison', 'right'])
    const { table: owner, field, via } = await leftOf(left, `${place}.left`)
    const places = {
      operator: `${place}.comparison.operator`,
      operand: `${place}.right.value`,
      currency: `${place}.right.currency`,
    }
    const given = objectOf(comparison, `${place}.comparison`, ['operator'])
    const operator = wordOf(given.operator, places.operator, operatorsOf(field, 'current'))
    const isAlone = withoutOperand.includes(operator)
    if (isAlone && !isEmpty(right ?? null))
      throw badInput(`with ${operator}, right is an empty object`, `${place}.right`)
    const operand = isAlone ? {} : operandOf(owner, field, right, `${place}.right`)
    const criterion = readCriterion(field, 'current', { operator, ...operand, places })
    return via ? { via, table: owner, condition: criterion } : criterion
  }

  const conditionsOf = async (
    given: unknown,
    place: string,
    read: (one: unknown, place: string) => Promise<Condition | null>,
  ) => {
    const found: Condition[] = []
    for (const [at, one] of listOf(given, place).entries()) {
      const condition = await read(one, `${place}[${at}]`)
      if (condition) found.push(condition)
    }
    return found
  }

  /** A condition, or a group of conditions; groups contain no groups. An empty one is left out. */
  const partOf = async (one: unknown, place: string): Promise<Condition | null> => {
    const isGroup = typeof one === 'object' && one !== null && 'conditionGroup' in one
    if (!isGroup) return conditionOf(one, place)
    const { conditionGroup, logicalOperator } = objectOf(one, place, [
      'conditionGroup',
      'logicalOperator',
    ])
    const parts = await conditionsOf(conditionGroup, `${place}.conditionGroup`, conditionOf)
    return parts.length === 0 ? null : combined(logicalOperator, parts, place)
  }

  return async (filter: unknown): Promise<Condition> => {
    const keys = ['conditions', 'logicalOperator']
    const { conditions, logicalOperator } = objectOf(filter, 'filter', keys)
    const parts = await conditionsOf(conditions, 'filter.conditions', partOf)
    return combined(logicalOperator, parts, 'filter')
  }
}

/** Reads a filter of this interface: conditions and groups of them. @throws Fault */
export const readFilter = (
  table: Table,
  filter: unknown,
  findTarget: FindTarget,
): Promise<Condition> =>
  filter === null || filter === undefined
    ? Promise.resolve({ all: [] })
    : createReader(table, findTarget)(filter)
