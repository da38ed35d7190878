import { limits } from './limits.ts'

/** What a formula can give. */
export type Result = 'text' | 'number' | 'boolean' | 'date'

/** A value of a formula; dates are timestamps of midnight in UTC. */
export type Plain = string | number | boolean | null

/** A function of formulas; operators are functions as well. */
interface Fn {
  /** @returns null if it does not take such values */
  gives(taken: readonly Result[]): Result | null
  run(values: readonly Plain[]): Plain
}

const takes =
  (result: Result, ...wanted: Result[]) =>
  (taken: readonly Result[]) =>
    taken.length === wanted.length && taken.every((one, at) => one === wanted[at]) ? result : null

const takesMany = (result: Result) => (taken: readonly Result[]) =>
  taken.length > 0 && taken.every((one) => one === result) ? result : null

/** Half a surrogate pair cannot be stored. */
const cut = (text: string) => text.slice(0, limits.text).replace(/\p{Surrogate}/gu, '')

/** Bounded, and null if there is no result, such as of a division by zero. */
const settled = (value: Plain): Plain => {
  if (typeof value === 'string') return cut(value)
  return typeof value === 'number' && !Number.isFinite(value) ? null : value
}

/** Without a value where one of its values is missing. */
// biome-ignore lint/suspicious/noExplicitAny: `gives` has checked the values
const strict = (gives: Fn['gives'], run: (...values: any[]) => Plain): Fn => ({
  gives,
  run: (values) => (values.includes(null) ? null : settled(run(...values))),
})

const calculated = (run: (one: number, other: number) => number) =>
  strict(takes('number', 'number', 'number'), run)

const ofNumber = (run: (one: number) => number) => strict(takes('number', 'number'), run)
const ofText = (run: (one: string) => string) => strict(takes('text', 'text'), run)
const ofDate = (run: (one: Date) => number) =>
  strict(takes('number', 'date'), (date: string) => run(new Date(date)))

const compared = (run: (one: string | number, other: string | number) => boolean): Fn =>
  strict((taken) => (taken.length === 2 && taken[0] === taken[1] ? 'boolean' : null), run)

const joined = (values: readonly Plain[]) => cut(values.map((one) => one ?? '').join(''))

const day = 86_400_000

const addDays = (date: string, days: number) => {
  const moved = new Date(Date.parse(date) + Math.trunc(days) * day)
  return /^\d{4}-/.test(Number.isNaN(moved.getTime()) ? '' : moved.toISOString())
    ? moved.toISOString()
    : null
}

const round = (one: number, digits: number) => {
  const factor = 10 ** Math.min(Math.max(Math.trunc(digits), 0), 10)
  return Math.round(one * factor) / factor
}

const anyKind = (result: Result) => (taken: readonly Result[]) => (taken.length > 0 ? result : null)

export const functions: Readonly<Record<string, Fn>> = {
  '+': {
    gives: (taken) =>
      takes('number', 'number', 'number')(taken) ??
      (taken.length === 2 && taken.includes('text') ? 'text' : null),
    run: ([one = null, other = null]) => {
      if (typeof one === 'string' || typeof other === 'string') return joined([one, other])
      return one === null || other === null ? null : settled(Number(one) + Number(other))
    },
  },
  '-': calculated((one, other) => one - other),
  '*': calculated((one, other) => one * other),
  '/': calculated((one, other) => one / other),
  '%': calculated((one, other) => one % other),
  negative: ofNumber((one) => -one),
  '==': compared((one, other) => one === other),
  '!=': compared((one, other) => one !== other),
  '<': compared((one, other) => one < other),
  '>': compared((one, other) => one > other),
  '<=': compared((one, other) => one <= other),
  '>=': compared((one, other) => one >= other),
  '&&': { gives: takes('boolean', 'boolean', 'boolean'), run: (values) => values.every(Boolean) },
  '||': { gives: takes('boolean', 'boolean', 'boolean'), run: (values) => values.some(Boolean) },
  '!': { gives: takes('boolean', 'boolean'), run: ([one]) => !one },
  if: {
    gives: ([test, one, other, ...rest]) =>
      test === 'boolean' && one && one === other && rest.length === 0 ? one : null,
    run: ([test, one = null, other = null]) => (test ? one : other),
  },
  isEmpty: {
    gives: (taken) => (taken.length === 1 ? 'boolean' : null),
    run: ([one]) => one === null,
  },
  concat: { gives: anyKind('text'), run: joined },
  round: {
    gives: (taken) =>
      takes('number', 'number')(taken) ?? takes('number', 'number', 'number')(taken),
    run: ([one = null, digits = 0]) =>
      one === null ? null : settled(round(Number(one), Number(digits ?? 0))),
  },
  abs: ofNumber(Math.abs),
  floor: ofNumber(Math.floor),
  ceiling: ofNumber(Math.ceil),
  min: strict(takesMany('number'), Math.min),
  max: strict(takesMany('number'), Math.max),
  upper: ofText((one) => one.toUpperCase()),
  lower: ofText((one) => one.toLowerCase()),
  trim: ofText((one) => one.trim()),
  length: strict(takes('number', 'text'), (one: string) => one.length),
  left: strict(takes('text', 'text', 'number'), (one: string, count: number) =>
    one.slice(0, Math.max(count, 0)),
  ),
  right: strict(takes('text', 'text', 'number'), (one: string, count: number) =>
    count > 0 ? one.slice(-count) : '',
  ),
  contains: strict(takes('boolean', 'text', 'text'), (one: string, part: string) =>
    one.toLowerCase().includes(part.toLowerCase()),
  ),
  year: ofDate((date) => date.getUTCFullYear()),
  month: ofDate((date) => date.getUTCMonth() + 1),
  day: ofDate((date) => date.getUTCDate()),
  days: strict(takes('number', 'date', 'date'), (one: string, other: string) =>
    Math.round((Date.parse(one) - Date.parse(other)) / day),
  ),
  addDays: strict(takes('date', 'date', 'number'), addDays),
}
