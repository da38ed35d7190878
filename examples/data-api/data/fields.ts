import { badInput, notFound } from './faults.ts'
import { newId } from './ids.ts'

const types = [
  'string',
  'textBlock',
  'number',
  'boolean',
  'date',
  'currency',
  'enum',
  'enumTags',
] as const

export type FieldType = (typeof types)[number]

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
}

export interface NewField {
  name: string
  type: FieldType
  required?: boolean | null
  restrict?: readonly string[] | null
}

export const isFieldType = (type: string): type is FieldType =>
  types.some((known) => known === type)

/** @throws Fault if the table has no such field */
export const fieldOf = (fields: readonly Field[], id: string): Field => {
  const field = fields.find((one) => one.id === id)
  if (!field) throw notFound('field')
  return field
}

const choicesOf = ({ type, restrict }: NewField): string[] | null => {
  const choices = [...new Set(restrict ?? [])]
  const isDropdown = type === 'enum' || type === 'enumTags'
  if (isDropdown !== choices.length > 0 || choices.includes(''))
    throw badInput('a dropdown has choices, and nothing else has')
  return isDropdown ? choices : null
}

/** @throws Fault if there is no name, or no choice */
export const createField = (field: NewField, primary = false): Field => {
  if (!field.name.trim()) throw badInput('a field has a name')
  return {
    id: newId('fld'),
    name: field.name,
    type: field.type,
    primary,
    required: field.required ?? false,
    restrict: choicesOf(field),
  }
}
