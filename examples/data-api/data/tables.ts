import type pg from 'pg'
import { type Queryable, transaction } from './database.ts'
import { announce } from './events.ts'
import { badInput, notFound } from './faults.ts'
import { createField, type Field, type NewField } from './fields.ts'
import { newId } from './ids.ts'

/** The place of a table; without a workspace it is a database of the legacy interface. */
export interface Place {
  organizationId: string
  workspaceId: string | null
}

export interface Table extends Place {
  id: string
  name: string
  description: string | null
  color: string | null
  fields: Field[]
}

export interface NewTable {
  name: string
  description?: string
  color?: string
  fields: readonly NewField[]
}

const columns = `t.id, t.organization_id as "organizationId", t.workspace_id as "workspaceId",
  t.name, t.description, t.color, t.fields`
const inPlace = 't.organization_id = $1 and t.workspace_id is not distinct from $2::text'

const placed = ({ organizationId, workspaceId }: Place) => [organizationId, workspaceId]

/** Its first field is the primary one. @throws Fault if there is no name */
export const insertTable = async (on: Queryable, place: Place, made: NewTable): Promise<Table> => {
  const { name, description = null, color = null } = made
  if (!name.trim()) throw badInput('a table has a name')
  const fields = made.fields.map((field, at) => createField(field, at === 0))
  const { rows } = await on.query<Table>(
    `insert into data_api.tables as t
       (organization_id, workspace_id, id, name, description, color, fields)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
    [...placed(place), newId('tbl'), name, description, color, JSON.stringify(fields)],
  )
  return rows[0] as Table
}

/** Every statement names the organization, and the workspace as well where it looks for a table. */
export const createTables = (pool: pg.Pool) => ({
  find: async (place: Place, id: string): Promise<Table | null> => {
    const { rows } = await pool.query<Table>(
      `select ${columns} from data_api.tables t where ${inPlace} and t.id = $3`,
      [...placed(place), id],
    )
    return rows[0] ?? null
  },

  /** The table that contains this row. */
  findByRow: async (place: Place, rowId: string): Promise<Table | null> => {
    const { rows } = await pool.query<Table>(
      `select ${columns} from data_api.tables t
         join data_api.rows r on r.organization_id = t.organization_id and r.table_id = t.id
        where ${inPlace} and r.id = $3`,
      [...placed(place), rowId],
    )
    return rows[0] ?? null
  },

  list: async (place: Place): Promise<Table[]> => {
    const { rows } = await pool.query<Table>(
      `select ${columns} from data_api.tables t where ${inPlace} order by t.position`,
      placed(place),
    )
    return rows
  },

  create: (place: Place, name: string, fields: readonly NewField[]): Promise<Table> =>
    insertTable(pool, place, { name, fields }),

  addField: (table: Table, field: NewField): Promise<Table> =>
    transaction(pool, async (tx) => {
      // Appended by the statement, so that concurrent additions are not lost.
      const { rows } = await tx.query<Table>(
        `update data_api.tables t set fields = t.fields || $3::jsonb
          where t.organization_id = $1 and t.id = $2 returning ${columns}`,
        [table.organizationId, table.id, JSON.stringify([createField(field)])],
      )
      if (!rows[0]) throw notFound('table')
      await announce(tx, table.id, { kind: 'table', rowId: null })
      return rows[0]
    }),
})

export type Tables = ReturnType<typeof createTables>
