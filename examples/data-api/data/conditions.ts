import { badInput } from './faults.ts'
import type { Field } from './fields.ts'
import { type Bind, operatorOf } from './operators.ts'

/** A condition on one field. */
export interface Criterion {
  field: Field
  operator: string
  operand?: unknown
  /** The amounts to compare with. */
  currency?: unknown
}

export type Condition = { all: Condition[] } | { any: Condition[] } | Criterion

const criterionSql = ({ field, operator, operand, currency }: Criterion, bind: Bind): string => {
  const write = operatorOf(field.type, operator)
  if (!write) throw badInput(`the field ${field.id} has no such operator`)
  return write({ cell: `(cells -> ${bind(field.id)}::text)`, operand, currency, bind })
}

/**
 * Writes a condition as SQL over `cells`; all input becomes a parameter. @throws Fault for an
 * operator that the field lacks, and for an operand of another type
 */
export const conditionSql = (condition: Condition, bind: Bind): string => {
  const joined = (parts: readonly Condition[], word: string) =>
    parts.map((part) => `(${conditionSql(part, bind)})`).join(word)
  if ('all' in condition) return joined(condition.all, ' and ') || 'true'
  if ('any' in condition) return joined(condition.any, ' or ') || 'false'
  return criterionSql(condition, bind)
}
