import type { Member } from '../data/organizations.ts'
import type { Row } from '../data/rows.ts'
import type { Table } from '../data/tables.ts'
import { idIn } from './ids.ts'
import { displayOf, nameOf } from './types.ts'

/** Tables of this interface are always in a workspace. */
const localId = ({ workspaceId }: Table, id: string) => idIn(workspaceId ?? '', id)

export const tableAnswer = (table: Table) => ({
  id: localId(table, table.id),
  name: table.name,
  fields: table.fields.map(({ id, name, type, restrict }) => ({
    id: localId(table, id),
    name,
    type: nameOf(type),
    choices: restrict,
  })),
})

export const recordAnswer = (table: Table, { id, values }: Row) => ({
  id: localId(table, id),
  fields: table.fields.map((field) => {
    const value = values[field.id] ?? null
    return { fieldId: localId(table, field.id), value, stringValue: displayOf(field, value) }
  }),
})

export const connectionAnswer = (table: Table, rows: readonly Row[], hasNextPage: boolean) => ({
  edges: rows.map((row) => ({ cursor: row.position, node: recordAnswer(table, row) })),
  pageInfo: { hasNextPage, endCursor: rows.at(-1)?.position ?? null },
})

export const memberAnswer = ({ userId, name, email }: Member) => ({ id: userId, name, email })
