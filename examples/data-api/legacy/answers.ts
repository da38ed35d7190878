import type { Field } from '../data/fields.ts'
import type { Member } from '../data/organizations.ts'
import type { Row } from '../data/rows.ts'
import type { Table } from '../data/tables.ts'

const fieldAnswer = ({ id, primary, required, ...field }: Field) => ({
  _id: id,
  ...field,
  primary: primary || null,
  required: required || null,
  database: null,
})

export const databaseAnswer = ({ id, name, description, color, fields }: Table) => ({
  _id: id,
  name,
  description,
  color,
  fields: fields.map(fieldAnswer),
})

/** One entry per column, in the order of the fields. @param only these fields; null for all */
export const rowAnswer = ({ fields }: Table, row: Row, only: readonly string[] | null = null) => ({
  _id: row.id,
  cols: fields
    .filter(({ id }) => only === null || only.includes(id))
    .map(({ id }) => ({ fieldId: id, value: row.values[id] ?? null })),
})

export const memberAnswer = ({ userId, ...member }: Member) => ({ _id: userId, ...member })
