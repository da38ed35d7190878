import type { Interface } from './reach.ts'

/** What values are, whatever the type of their field: decides operators, order and indexes. */
export type Kind =
  | 'text'
  | 'number'
  | 'amount'
  | 'boolean'
  | 'date'
  | 'moment'
  | 'file'
  | 'choice'
  | 'choices'
  | 'reference'
  | 'references'

interface Type {
  /** As the current interface names it. */
  current: string
  /** null if it depends on the field. */
  kind: Kind | null
  /** Read-only, and only in the current interface. */
  isComputed?: true
}

const types = {
  string: { current: 'Single-line Text', kind: 'text' },
  textBlock: { current: 'Multi-line Text', kind: 'text' },
  number: { current: 'Number', kind: 'number' },
  boolean: { current: 'Yes/No', kind: 'boolean' },
  date: { current: 'Date', kind: 'date' },
  currency: { current: 'Currency', kind: 'amount' },
  attachment: { current: 'Attachment', kind: 'file' },
  enum: { current: 'Dropdown', kind: 'choice' },
  enumTags: { current: 'Dropdown Multiple', kind: 'choices' },
  ref: { current: 'Reference', kind: 'reference' },
  refMultiple: { current: 'Reference Multiple', kind: 'references' },
  lookup: { current: 'Lookup', kind: null, isComputed: true },
  createdAt: { current: 'Created At', kind: 'moment', isComputed: true },
  updatedAt: { current: 'Updated At', kind: 'moment', isComputed: true },
  formula: { current: 'Formula', kind: null, isComputed: true },
  rollup: { current: 'Rollup', kind: null, isComputed: true },
} as const satisfies Record<string, Type>

/** As the legacy interface names it. */
export type FieldType = keyof typeof types

const all = Object.keys(types) as FieldType[]

export const typeOf = (type: FieldType): Type => types[type]

export const isComputed = (type: FieldType) => typeOf(type).isComputed ?? false

const typesOf = (generation: Interface) =>
  generation === 'current' ? all : all.filter((type) => !isComputed(type))

export const nameOf = (generation: Interface, type: FieldType): string =>
  generation === 'current' ? types[type].current : type

export const typeNames = (generation: Interface): string[] =>
  typesOf(generation).map((type) => nameOf(generation, type))

/** @returns null if the interface has no such type */
export const typeNamed = (generation: Interface, name: string): FieldType | null =>
  typesOf(generation).find((type) => nameOf(generation, type) === name) ?? null

export const isDropdown = (type: FieldType) => type === 'enum' || type === 'enumTags'

export const isReference = (type: FieldType) => type === 'ref' || type === 'refMultiple'
