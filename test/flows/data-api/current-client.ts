/** Makes tables and records of the current interface, by the names of their fields. */
import type { Test } from 'tap'
import { ask, type RunningDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'

export interface MadeTable {
  id: string
  /** The ids of the fields by their names. */
  ids: Record<string, string>
}

export const createTable = `mutation ($workspace: ID!, $name: String!, $fields: [TableFieldInput!]!) {
  createTable(workspaceId: $workspace, name: $name, fields: $fields) { id fields { id name type } }
}`
export const createRecord = `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
  createRecord(tableId: $table, fields: $fields) { id fields { fieldId value stringValue } }
}`
export const updateRecord = `mutation ($record: ID!, $fields: [FieldValueInput!]!) {
  updateRecord(recordId: $record, fields: $fields) { id fields { fieldId value stringValue } }
}`
export const deleteRecord = 'mutation ($record: ID!) { deleteRecord(recordId: $record) }'
export const readRecord = `query ($record: ID!) {
  record(recordId: $record) { id fields { fieldId value stringValue } }
}`
export const connection = `query (
  $table: ID!, $filter: JSON, $sort: [RecordSort!], $first: Int, $after: String
) {
  recordsConnection(tableId: $table, filter: $filter, sort: $sort, first: $first, after: $after) {
    edges { cursor node { id fields { fieldId value stringValue } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
  }
}`

export const input = (value: unknown) => ({ type: 'input', value })

/** A condition, with the id of a field. */
export const condition = (value: unknown, operator: unknown, right: unknown): Json => ({
  left: { type: 'field', value },
  comparison: { operator },
  right,
})

export const text = { name: 'Name', type: 'Single-line Text' }

/** A caller with a token, whose requests must succeed unless they are made by `send`. */
export const currentClient = (t: Test, api: RunningDataApi, token: string) => {
  const send = (query: string, variables: Json = {}) => ask(api, { query, variables }, token)

  const done = async (query: string, variables: Json = {}): Promise<Json> => {
    const { status, body, value } = await send(query, variables)
    t.same([status, body.errors], [200, undefined])
    return value
  }

  const madeOf = (made: Json): MadeTable => ({
    id: made.id,
    ids: Object.fromEntries(made.fields.map(({ id, name }: Json) => [name, id])),
  })

  const colsOf = ({ ids }: MadeTable, values: Json) =>
    Object.entries(values).map(([name, value]) => ({ fieldId: ids[name] ?? name, value }))

  return {
    send,
    done,
    madeOf,
    colsOf,
    makeTable: async (workspace: string, fields: unknown[], name = 'Made') =>
      madeOf(await done(createTable, { workspace, name, fields })),
    /** @param values whole ones, such as `{ val: 1 }` */
    makeRecord: (table: MadeTable, values: Json) =>
      done(createRecord, { table: table.id, fields: colsOf(table, values) }),
    change: (table: MadeTable, record: string, values: Json) =>
      done(updateRecord, { record, fields: colsOf(table, values) }),
    /** What the fields of a record have, by their names. */
    valuesIn: ({ ids }: MadeTable, record: Json, key = 'value'): Json =>
      Object.fromEntries(
        Object.entries(ids).map(([name, id]) => [
          name,
          record.fields.find(({ fieldId }: Json) => fieldId === id)[key],
        ]),
      ),
  }
}
