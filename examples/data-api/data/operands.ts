import { isCurrency } from './currencies.ts'
import { readDate } from './dates.ts'
import { badInput } from './faults.ts'

// Operands of filters, read as the type that the operator takes. Each function throws a Fault for
// anything else.

export const textIn = (operand: unknown): string => {
  if (typeof operand !== 'string') throw badInput('the operator compares with a text')
  return operand
}

export const numberIn = (operand: unknown): number => {
  if (!Number.isFinite(operand)) throw badInput('the operator compares with a number')
  return operand as number
}

export const dateIn = (operand: unknown): string => {
  const date = typeof operand === 'string' ? readDate(operand) : null
  if (date === null) throw badInput('the operator compares with a date')
  return date
}

export const currencyIn = (code: unknown): string => {
  if (!isCurrency(code)) throw badInput('amounts are compared in a currency')
  return code
}

export const listIn = (operand: unknown): string[] => {
  if (!Array.isArray(operand) || !operand.every((one) => typeof one === 'string'))
    throw badInput('the operator compares with a list of texts')
  return operand
}

/** The two bounds of `{val1, val2}`. */
export const rangeIn = (operand: unknown): [unknown, unknown] => {
  if (typeof operand !== 'object' || operand === null)
    throw badInput('the operator compares with {val1, val2}')
  const { val1, val2 } = operand as Record<string, unknown>
  return [val1, val2]
}
