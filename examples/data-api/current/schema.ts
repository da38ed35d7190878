// The current interface: workspaces, tables and records. The token is in `Authorization: Bearer`;
// reading needs no permission.

export const currentSchema = `
  type Workspace {
    id: ID!
    name: String!
  }

  type Table {
    id: ID!
    name: String!
    fields: [TableField!]!
  }

  type TableField {
    id: ID!
    name: String!
    type: String!
    choices: [String!]
  }

  type FieldValue {
    fieldId: ID!
    "null, or an object whose val depends on the type of the field"
    value: JSON
    "A string, or a list of strings"
    stringValue: JSON
  }

  type Record {
    id: ID!
    fields: [FieldValue!]!
  }

  type RecordEdge {
    cursor: String!
    node: Record!
  }

  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }

  type RecordConnection {
    edges: [RecordEdge!]!
    pageInfo: PageInfo!
  }

  type WorkspaceMember {
    id: ID!
    name: String!
    email: String!
  }

  input FieldValueInput {
    fieldId: ID!
    value: JSON
  }

  input TableFieldInput {
    name: String!
    "As people see it: Single-line Text, Number, Dropdown …"
    type: String!
    choices: [String!]
  }

  extend type Query {
    workspaces: [Workspace!]
    tables(workspaceId: ID!): [Table!]
    recordsConnection(tableId: ID!, filter: JSON, first: Int, after: String): RecordConnection
    "workspace_members:read"
    workspaceMembers(workspaceId: ID!): [WorkspaceMember!]
  }

  extend type Mutation {
    "records:create"
    createRecord(tableId: ID!, fields: [FieldValueInput!]!): Record
    "records:update"
    updateRecord(recordId: ID!, fields: [FieldValueInput!]!): Record
    "records:delete"
    deleteRecord(recordId: ID!): Boolean
    "table:create"
    createTable(workspaceId: ID!, name: String!, fields: [TableFieldInput!]!): Table
  }
`
