import type { Field, FieldType } from '../data/fields.ts'
import type { Value } from '../data/values.ts'

/** Display names of the types. */
const names: Record<FieldType, string> = {
  string: 'Single-line Text',
  textBlock: 'Multi-line Text',
  number: 'Number',
  boolean: 'Yes/No',
  date: 'Date',
  currency: 'Currency',
  enum: 'Dropdown',
  enumTags: 'Dropdown Multiple',
}

export const nameOf = (type: FieldType) => names[type]

/** @returns null if there is no such type */
export const typeNamed = (name: string): FieldType | null =>
  (Object.keys(names) as FieldType[]).find((type) => names[type] === name) ?? null

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })
const dates = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The display text of a value. */
export const displayOf = ({ type }: Field, value: Value | null): string | string[] | null => {
  const val = value?.val ?? null
  if (val === null || Array.isArray(val)) return val
  switch (type) {
    case 'number':
      return numbers.format(Number(val))
    case 'boolean':
      return val ? 'Yes' : 'No'
    case 'date':
      return dates.format(new Date(String(val)))
    case 'currency':
      return new Intl.NumberFormat('en-US', {
        style: 'currency',
        currency: value?.currency ?? 'USD',
      }).format(Number(val))
    default:
      return String(val)
  }
}
