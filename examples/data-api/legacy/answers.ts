import type { Template } from '../data/documents.ts'
import type { Field } from '../data/fields.ts'
import type { Member } from '../data/organizations.ts'
import type { Row } from '../data/rows.ts'
import type { Table } from '../data/table.ts'
import type { Value } from '../data/values.ts'

const fieldAnswer = ({ targets }: Table, field: Field) => {
  const { id, name, type, primary, required, restrict, database } = field
  return {
    _id: id,
    name,
    type,
    primary: primary || null,
    required: required || null,
    restrict,
    database: database !== null && targets.has(database) ? database : null,
  }
}

export const databaseAnswer = (table: Table, templates: () => Promise<Template[]>) => {
  const { id, name, description, color, fields, filters } = table
  return {
    _id: id,
    name,
    description,
    color,
    filters,
    templates,
    fields: fields.map((field) => fieldAnswer(table, field)),
  }
}

/** One entry per column, in the order of the fields. @param only these fields; null for all */
export const rowAnswer = ({ fields }: Table, row: Row, only: readonly string[] | null = null) => ({
  _id: row.id,
  cols: fields
    .filter(({ id }) => only === null || only.includes(id))
    .map(({ id }) => ({ fieldId: id, value: row.values[id] ?? null })),
})

/** What a caller without `readData` knows: the values that it wrote, without labels. */
export const writtenAnswer = (table: Table, row: Row, only: readonly string[]) => {
  const { _id, cols } = rowAnswer(table, row, only)
  const withoutLabel = (value: Value | null) => {
    const { _label, ...rest } = value ?? { val: null }
    return value && rest
  }
  return { _id, cols: cols.map(({ fieldId, value }) => ({ fieldId, value: withoutLabel(value) })) }
}

export const memberAnswer = ({ userId, ...member }: Member) => ({ _id: userId, ...member })
