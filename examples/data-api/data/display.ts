import { kindOf } from './columns.ts'
import type { Field } from './fields.ts'
import type { Kind } from './types.ts'
import type { Value } from './values.ts'

const locale = 'en-US'
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
const day = { timeZone: 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' } as const
const dates = new Intl.DateTimeFormat(locale, day)
const moments = new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit' })

const amountOf = (val: unknown, currency = 'USD') =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(val))

const displays: Partial<Record<Kind, (val: unknown, value: Value) => string>> = {
  number: (val) => numbers.format(Number(val)),
  boolean: (val) => (val ? 'Yes' : 'No'),
  date: (val) => dates.format(new Date(String(val))),
  moment: (val) => moments.format(new Date(String(val))),
  amount: (val, { currency }) => amountOf(val, currency),
}

/** The display text of a value; that of a reference is its label. */
export const stringValueOf = (field: Field, value: Value | null): string | string[] | null => {
  const val = value?.val ?? null
  if (!value || val === null) return null
  if (value._label !== undefined) return value._label
  if (Array.isArray(val)) return val.map(String)
  const display = field.type === 'lookup' ? undefined : displays[kindOf(field)]
  return display ? display(val, value) : String(val)
}

/** The value of a primary field as a label. */
export const labelOf = (value: Value | null | undefined): string => {
  const val = value?.val ?? ''
  return Array.isArray(val) ? val.join(', ') : String(val)
}

/** What a search finds in a row. */
export const searchTextOf = (
  fields: readonly Field[],
  values: Readonly<Record<string, Value>>,
): string =>
  fields
    .filter(({ database }) => database === null)
    .map(({ id }) => labelOf(values[id]))
    .filter(Boolean)
    .join('\n')
