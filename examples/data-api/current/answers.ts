import { stringValueOf } from '../data/display.ts'
import type { Field } from '../data/fields.ts'
import type { Member } from '../data/organizations.ts'
import type { Row } from '../data/rows.ts'
import type { Table } from '../data/table.ts'
import { isComputed, isReference, nameOf } from '../data/types.ts'
import type { Value } from '../data/values.ts'
import { homeOf, idIn } from './ids.ts'

/** The table of a reference; null if the caller does not reach it. */
const targetOf = ({ targets }: Table, field: Field | undefined): Table | null =>
  targets.get(field?.database ?? '') ?? null

const fieldAnswer = (table: Table, field: Field) => {
  const { id, name, type, primary, required, restrict, via, target, fn, formula } = field
  const home = homeOf(table)
  const reference = via === null ? field : table.fields.find((one) => one.id === via)
  const referenced = targetOf(table, reference)
  return {
    id: idIn(home, id),
    name,
    type: nameOf('current', type),
    primary,
    required,
    readOnly: isComputed(type),
    choices: restrict,
    table: via === null && referenced ? idIn(homeOf(referenced), referenced.id) : null,
    via: via === null ? null : idIn(home, via),
    field: target !== null && referenced ? idIn(homeOf(referenced), target) : null,
    fn,
    expression: formula?.text ?? null,
  }
}

export const tableAnswer = (table: Table) => ({
  id: idIn(homeOf(table), table.id),
  workspaceId: table.workspaceId,
  name: table.name,
  description: table.description,
  color: table.color,
  fields: table.fields.map((field) => fieldAnswer(table, field)),
})

/** References name the workspace of the record; their labels are the string value. */
const valueAnswer = (table: Table, field: Field, value: Value | null) => {
  if (value === null || !isReference(field.type)) return value
  const target = targetOf(table, field)
  const wire = (id: unknown) => (target ? idIn(homeOf(target), String(id)) : null)
  const { val } = value
  if (Array.isArray(val)) return { val: val.map(wire) }
  return { val: val === null ? null : wire(val) }
}

export const recordAnswer = (table: Table, { id, values }: Row) => ({
  id: idIn(homeOf(table), id),
  fields: table.fields.map((field) => {
    const value = values[field.id] ?? null
    return {
      fieldId: idIn(homeOf(table), field.id),
      value: valueAnswer(table, field, value),
      stringValue: stringValueOf(field, value),
    }
  }),
})

export const memberAnswer = ({ userId, name, email }: Member) => ({ id: userId, name, email })
