import { notFound } from './faults.ts'
import type { Formula } from './formulas.ts'
import type { FieldType, Kind } from './types.ts'

export const rollups = ['count', 'sum', 'average', 'min', 'max'] as const

export type Rollup = (typeof rollups)[number]

export interface Field {
  id: string
  name: string
  type: FieldType
  /** The display name of a row. */
  primary: boolean
  /** Cannot be emptied; it may be left out. */
  required: boolean
  /** The choices of `enum` and `enumTags`; null for other types. */
  restrict: string[] | null
  /** The table of a reference. */
  database: string | null
  /** Lookup and rollup: the reference, and the field of its table. */
  via: string | null
  target: string | null
  fn: Rollup | null
  formula: Formula | null
  /** The kind of a calculated value. */
  result: Kind | null
}

/** @throws Fault if the table has no such field */
export const fieldOf = (fields: readonly Field[], id: string, place?: string): Field => {
  const field = fields.find((one) => one.id === id)
  if (!field) throw notFound('field', place)
  return field
}
