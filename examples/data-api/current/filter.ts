import type { Condition } from '../data/conditions.ts'
import { badInput } from '../data/faults.ts'
import { fieldOf } from '../data/fields.ts'
import type { Table } from '../data/tables.ts'
import { readId } from './ids.ts'

type Json = Record<string, unknown>

const mostConditions = 50

const objectOf = (one: unknown, what: string): Json => {
  if (typeof one === 'object' && one !== null && !Array.isArray(one)) return one as Json
  throw badInput(`${what} is an object`)
}

const listOf = (one: unknown, what: string): unknown[] => {
  if (Array.isArray(one) && one.length <= mostConditions) return one
  throw badInput(`${what} is a list of at most ${mostConditions}`)
}

/**
 * Operators of the other interface are unknown here. "Empty" covers both unset and emptied values.
 */
const operatorFor = (word: unknown): string => {
  if (word === 'is-empty') return 'has-no-value'
  if (typeof word !== 'string' || word.startsWith('has-no-v') || word.startsWith('is-emptied'))
    throw badInput('comparison.operator is an operator')
  return word
}

const conditionOf = (table: Table, one: unknown): Condition => {
  const { left, comparison, right } = objectOf(one, 'a condition')
  const { type, value: wire } = objectOf(left, 'left')
  const { value, currency } = objectOf(right ?? {}, 'right')
  if (type !== 'field' || typeof wire !== 'string') throw badInput('left names a field')
  const id = readId(wire, 'fld')
  const field = fieldOf(table.fields, id?.workspaceId === table.workspaceId ? id.id : '')
  const { operator } = objectOf(comparison, 'comparison')
  return { field, operator: operatorFor(operator), operand: value, currency }
}

const combined = (operator: unknown, conditions: Condition[]): Condition => {
  if (operator === 'or') return { any: conditions }
  if (operator === 'and' || (operator === undefined && conditions.length < 2))
    return { all: conditions }
  throw badInput('logicalOperator is `and` or `or`')
}

/** A condition, or a group of conditions; groups contain no groups. */
const partOf = (table: Table, one: unknown): Condition => {
  const { conditionGroup, logicalOperator } = objectOf(one, 'a condition')
  if (conditionGroup === undefined) return conditionOf(table, one)
  const parts = listOf(conditionGroup, 'conditionGroup')
  return combined(
    logicalOperator,
    parts.map((part) => conditionOf(table, part)),
  )
}

/**
 * Reads a filter of the current interface: conditions and groups, joined by `and` or `or`.
 * @throws Fault
 */
export const readFilter = (table: Table, filter: unknown): Condition => {
  if (filter === null || filter === undefined) return { all: [] }
  const { conditions, logicalOperator } = objectOf(filter, 'a filter')
  const parts = listOf(conditions, 'conditions')
  return combined(
    logicalOperator,
    parts.map((part) => partOf(table, part)),
  )
}
