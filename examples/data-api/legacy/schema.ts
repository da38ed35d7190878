// The legacy interface: databases and rows. The credential is the GraphQL variable `secretKey` or
// `accessToken`. Operations accept both as arguments, so that clients can declare and use the
// variable, as GraphQL requires.

const credential = 'secretKey: String, accessToken: String'

export const legacySchema = `
  type Field {
    _id: ID!
    name: String!
    type: String!
    primary: Boolean
    required: Boolean
    restrict: [String!]
    database: ID
  }

  type Database {
    _id: ID!
    name: String!
    description: String
    color: String
    fields: [Field!]!
  }

  type Col {
    fieldId: ID!
    "null: not set. An object whose val is null: intentionally empty."
    value: JSON
  }

  type Row {
    _id: ID!
    cols: [Col!]!
  }

  type Member {
    _id: ID!
    name: String!
    email: String!
    role: String!
  }

  input ColInput {
    fieldId: ID!
    value: JSON
  }

  input FieldInput {
    name: String!
    type: String!
    required: Boolean
    restrict: [String!]
  }

  extend type Query {
    "readData"
    databases(organizationId: ID, ${credential}): [Database!]
    "readData"
    database(databaseId: ID!, ${credential}): Database
    "readData. At most 100 rows."
    data(
      databaseId: ID!, filter: JSON, sort: JSON, limit: Int, skip: Int, in: [ID!], fields: [ID!],
      ${credential}
    ): [Row!]
    "readData. Not subject to the limit."
    count(databaseId: ID!, filter: JSON, in: [ID!], ${credential}): Int
    "readMembers"
    members(${credential}): [Member!]
  }

  extend type Mutation {
    "insertData"
    insert(databaseId: ID!, cols: [ColInput!]!, ${credential}): Row
    "updateData"
    update(databaseId: ID!, rowId: ID!, cols: [ColInput!]!, ${credential}): Row
    "insertData and updateData"
    insertOrUpdate(databaseId: ID!, matchFields: [ID!]!, cols: [ColInput!]!, ${credential}): Row
    "deleteData"
    delete(databaseId: ID!, rowId: ID!, ${credential}): Boolean
    "addFields"
    addField(databaseId: ID!, field: FieldInput!, ${credential}): Database
  }

  extend type Subscription {
    "readData. The new data of each row that was inserted or updated."
    rowsChanged(databaseId: ID!, ${credential}): [Row!]
    "readData"
    databaseUpdated(databaseId: ID!, ${credential}): Database
  }
`
