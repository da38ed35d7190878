import { columnOf, kindOf, literal, partitionOf } from './columns.ts'
import { badInput } from './faults.ts'
import type { Field } from './fields.ts'
import { limits } from './limits.ts'
import type { Given } from './operands.ts'
import { type Bind, operatorNamed, type Test } from './operators.ts'
import type { Interface } from './reach.ts'
import type { Table } from './table.ts'
import type { Value } from './values.ts'
import { meaningOf, operatorsOf } from './words.ts'

/** A condition on one field. */
export interface Criterion {
  field: Field
  test: Test
}

/** Some row that the reference leads to fulfils the condition. */
export interface Step {
  via: Field
  table: Table
  condition: Condition
}

export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | Criterion
  | Step

/** As it was given, with its places in the input. */
export interface Comparison extends Pick<Given, 'operand' | 'currency'> {
  operator: unknown
  places: { operator: string; operand: string; currency: string }
}

/** @throws Fault for an operator that the field lacks, and for an operand of another type */
export const readCriterion = (
  field: Field,
  generation: Interface,
  { operator: word, ...given }: Comparison,
): Criterion => {
  const words = operatorsOf(field, generation)
  const { places } = given
  if (typeof word !== 'string' || !words.includes(word))
    throw badInput(`the field ${field.name} has no such operator`, places.operator, words)
  const operator = operatorNamed(kindOf(field), field.type, meaningOf(word, generation))
  if (!operator)
    throw badInput(`the field ${field.name} has no such operator`, places.operator, words)
  return { field, test: operator(given) }
}

/** Rows that have this value. @throws Fault if values of the field cannot be compared */
export const hasValue = (field: Field, { val, currency }: Value, place: string): Criterion => {
  const kind = kindOf(field)
  const words: Partial<Record<typeof kind, string>> = {
    boolean: val === true ? 'is-true' : 'is-false',
    date: 'on',
  }
  const operator = operatorNamed(kind, field.type, words[kind] ?? 'is')
  if (!operator) throw badInput(`the field ${field.name} cannot be matched`, place)
  const operand = kind === 'choice' ? [val] : val
  return {
    field,
    test: operator({ operand, currency, places: { operand: place, currency: place } }),
  }
}

/** The SQL of a condition. */
export interface Written {
  sql: string
  /** A field without an index takes part. */
  isScan: boolean
}

/**
 * Writes a condition as SQL over `r`, a row of the table; all input becomes a parameter. @throws
 * Fault if it is too large
 */
export const conditionSql = (table: Table, condition: Condition, bind: Bind): Written => {
  let count = 0
  let isScan = false

  const criterion = (of: Table, row: string, { field, test }: Criterion) => {
    const column = columnOf(of, field, row)
    isScan ||= column.isScanned
    return test(column, bind)
  }

  const step = (of: Table, row: string, { via, table: target, condition }: Step, depth: number) => {
    const { key, cell } = columnOf(of, via, row)
    const next = `r${depth}`
    // Until Postgres 16, the planner knows only of a partition that its ids are unique.
    const found = `select ${next}.id from data_api.${partitionOf(target)} ${next}
      where ${next}.organization_id = ${bind(target.organizationId)}
        and ${next}.table_id = ${literal(target.id)} and ${next}.removed_at is null
        and (${write(target, next, condition, depth)})`
    return via.type === 'ref'
      ? `${key} in (${found})`
      : `(${cell} -> 'val') ?| array(${found})::text[]`
  }

  const write = (of: Table, row: string, one: Condition, depth: number): string => {
    count += 1
    // A reference and its group are two levels.
    if (count > limits.conditions * 3 || depth > 3 * limits.depth)
      throw badInput(
        `a filter has at most ${limits.conditions} conditions and ${limits.depth} references within each other`,
        'filter',
      )
    const joined = (parts: readonly Condition[], word: string) =>
      parts.map((part) => `(${write(of, row, part, depth + 1)})`).join(word)
    if ('all' in one) return joined(one.all, ' and ') || 'true'
    if ('any' in one) return joined(one.any, ' or ') || 'false'
    return 'via' in one ? step(of, row, one, depth + 1) : criterion(of, row, one)
  }

  return { sql: write(table, 'r', condition, 0), isScan }
}
