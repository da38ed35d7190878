/** The legacy interface as an app uses it: databases and fields by their names. */
import type { Test } from 'tap'
import { type Asked, ask, type RunningDataApi, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import type { Scene } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { type Credential, legacyKeys, legacyPermissions } from './tokens.ts'

const wholeDatabase = `_id name description color
  fields { _id name type primary required restrict database }
  filters { name filter } templates { path name }`

export interface Database {
  id: string
  /** As the query `databases` has it. */
  own: Json
  field(name: string): string
  /** A record of values by the names of fields, as `cols`. */
  cols(values: Json): Json[]
  /** The value of a row. */
  of(row: Json, name: string): Json
}

export interface LegacyClient {
  api: RunningDataApi
  credential: Credential
  send(query: string, variables?: Json): Promise<Asked>
  /** @throws Error for an answer with errors */
  run(query: string, variables?: Json): Promise<Json>
  databases(): Promise<Json[]>
  database(name: string): Promise<Database>
  insert(database: Database, values: Json): Promise<Json>
  update(database: Database, row: Json, values: Json): Promise<Asked>
  data(database: Database, options?: Json): Promise<Asked>
}

const dataQuery = `query ($databaseId: ID!, $filter: JSON, $sort: JSON, $limit: Int, $skip: Int, $in: [ID!],
    $fields: [ID!], $removedAt: Boolean, $search: String, $modifiedSince: String) {
  data(databaseId: $databaseId, filter: $filter, sort: $sort, limit: $limit, skip: $skip, in: $in,
    fields: $fields, removedAt: $removedAt, search: $search, modifiedSince: $modifiedSince) {
    _id cols { fieldId value }
  }
}`

const found = (own: Json): Database => {
  const field = (name: string): string => {
    const one = own.fields.find((field: Json) => field.name === name)
    if (!one) throw new Error(`no field ${name}`)
    return one._id
  }
  return {
    id: own._id,
    own,
    field,
    cols: (values) =>
      Object.entries(values).map(([name, value]) => ({ fieldId: field(name), value })),
    of: ({ cols }, name) => cols.find(({ fieldId }: Json) => fieldId === field(name)).value,
  }
}

/** A key set of Acme with every permission, at a data API of its own. */
export const legacyClient = async (t: Test, scene: Scene): Promise<LegacyClient> => {
  const api = await startDataApi(t, scene, await registerResourceServer(scene.running))
  const credential = await legacyKeys(scene, scene.world.acme)(legacyPermissions)
  const send = (query: string, variables: Json = {}) =>
    ask(api, { query, variables: { ...variables, ...credential } })
  const run = async (query: string, variables: Json = {}) => {
    const { body, value } = await send(query, variables)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return value
  }
  const databases = () => run(`{ databases { ${wholeDatabase} } }`)
  return {
    api,
    credential,
    send,
    run,
    databases,
    database: async (name) => found((await databases()).find((one: Json) => one.name === name)),
    insert: ({ id, cols }, values) =>
      run(
        `mutation ($id: ID!, $cols: [ColInput!]!) {
          insert(databaseId: $id, cols: $cols) { _id cols { fieldId value } }
        }`,
        { id, cols: cols(values) },
      ),
    update: ({ id, cols }, row, values) =>
      send(
        `mutation ($id: ID!, $row: ID!, $cols: [ColInput!]!) {
          update(databaseId: $id, rowId: $row, cols: $cols) { _id cols { fieldId value } }
        }`,
        { id, row: row._id, cols: cols(values) },
      ),
    data: ({ id }, options = {}) => send(dataQuery, { databaseId: id, ...options }),
  }
}
