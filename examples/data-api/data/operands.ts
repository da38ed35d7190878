import { currencies, isCurrency } from './currencies.ts'
import { dateForms, readDate } from './dates.ts'
import { badInput } from './faults.ts'
import { isRowId } from './ids.ts'
import { limits } from './limits.ts'
import { readText } from './texts.ts'

/** What an operator compares with, and its places in the input. */
export interface Given {
  operand?: unknown
  currency?: unknown
  places: { operand: string; currency: string }
}

/** Reads an operand as the type that the operator takes. @throws Fault for anything else */
export type Read<Operand> = (given: Given) => Operand

/** @returns null if the operand is none */
const reader =
  <Operand>(takes: string, read: (operand: unknown) => Operand | null): Read<Operand> =>
  ({ operand, places }) => {
    const value = read(operand)
    if (value === null) throw badInput(`the operator compares with ${takes}`, places.operand)
    return value
  }

const text = (operand: unknown) => readText(operand, limits.text)

const number = (operand: unknown) => (Number.isFinite(operand) ? (operand as number) : null)

const date = (operand: unknown) => (typeof operand === 'string' ? readDate(operand) : null)

export const moment = (operand: unknown): string | null => {
  const midnight = date(operand)
  if (midnight === null) return null
  const exact = new Date(String(operand))
  const hasTime = String(operand).includes('T') && !Number.isNaN(exact.getTime())
  return hasTime ? exact.toISOString() : midnight
}

const range =
  <Bound>(read: (operand: unknown) => Bound | null) =>
  (operand: unknown): [Bound, Bound] | null => {
    if (typeof operand !== 'object' || operand === null) return null
    const { val1, val2 } = operand as Record<string, unknown>
    const [low, high] = [read(val1), read(val2)]
    return low === null || high === null ? null : [low, high]
  }

const list = (operand: unknown) =>
  Array.isArray(operand) &&
  operand.length <= limits.listed &&
  operand.every((one) => text(one) !== null)
    ? (operand as string[])
    : null

const values = (operand: unknown) =>
  Array.isArray(operand) &&
  operand.length <= limits.listed &&
  operand.every((one) => typeof one === 'boolean' || number(one) !== null || text(one) !== null)
    ? (operand as (string | number | boolean)[])
    : null

const nothing: Read<null> = () => null

export const reads = {
  nothing,
  text: reader(`a text of at most ${limits.text} characters`, text),
  number: reader('a number', number),
  boolean: reader('true or false', (one) => (typeof one === 'boolean' ? one : null)),
  date: reader(dateForms, date),
  moment: reader(dateForms, moment),
  numbers: reader('numbers, {val1, val2}', range(number)),
  dates: reader('dates, {val1, val2}', range(date)),
  moments: reader('dates, {val1, val2}', range(moment)),
  list: reader(`a list of at most ${limits.listed} texts`, list),
  values: reader(`a list of at most ${limits.listed} values`, values),
  rowId: reader('the id of a row', (one) => (isRowId(one) ? one : null)),
}

export const currencyIn = ({ currency, places }: Given): string => {
  if (!isCurrency(currency))
    throw badInput('amounts are compared in a currency', places.currency, currencies)
  return currency
}
