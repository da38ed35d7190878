import type { Field } from './fields.ts'
import type { NewField } from './new-field.ts'
import type { Interface } from './reach.ts'

/** The place of a table; without a workspace it is a database, or a table of the organization. */
export interface Place {
  interface: Interface
  organizationId: string
  workspaceId: string | null
}

export interface SavedFilter {
  name: string
  /** As the filter of the query for its rows. */
  filter: unknown
}

export interface Table extends Place {
  id: string
  name: string
  description: string | null
  color: string | null
  fields: Field[]
  filters: SavedFilter[]
  /** Has the documents app. */
  documentApp: boolean
  /** Of its organization. */
  collation: string
  /** The tables of its references that the caller reaches, by id; they have no targets here. */
  targets: ReadonlyMap<string, Table>
}

export interface NewTable {
  name: string
  description?: string | null
  color?: string | null
  fields: readonly NewField[]
  /** Whether the first field is the primary one; the default is true. */
  hasPrimary?: boolean
  filters?: readonly SavedFilter[]
  documentApp?: boolean
}

export type TableChange = Partial<Pick<Table, 'name' | 'description' | 'color'>>
export type FieldChange = Partial<Pick<Field, 'name' | 'required'>> & {
  /** All choices of a dropdown. */
  restrict?: readonly string[]
}
