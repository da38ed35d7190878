import type pg from 'pg'
import { type Queryable, transaction } from './database.ts'
import { announce } from './events.ts'
import { notFound } from './faults.ts'
import { newId } from './ids.ts'
import { countStatement, type Range, type Selection, selectStatement } from './selection.ts'
import type { Table } from './tables.ts'
import { findMatch } from './upsert.ts'
import { type Column, readColumns, type Value } from './values.ts'

export interface Row {
  id: string
  /** By field id; absent fields are not set. */
  values: Readonly<Record<string, Value>>
  /** Its position in the order of insertion: a number, as digits. */
  position: string
}

type Values = Row['values']

const columns = 'id, cells as values, position'

const insertRow = async (on: Queryable, table: Table, values: Values): Promise<Row> => {
  const { rows } = await on.query<Row>(
    `insert into data_api.rows (organization_id, table_id, id, cells) values ($1, $2, $3, $4)
     returning ${columns}`,
    [table.organizationId, table.id, newId('rec'), JSON.stringify(values)],
  )
  return rows[0] as Row
}

/**
 * Fields that are not given stay. No update unsets a field, so an emptied field is never "not set"
 * again.
 */
const updateRow = async (on: Queryable, table: Table, id: string, values: Values): Promise<Row> => {
  const { rows } = await on.query<Row>(
    `update data_api.rows set cells = cells || $4::jsonb
      where organization_id = $1 and table_id = $2 and id = $3 returning ${columns}`,
    [table.organizationId, table.id, id, JSON.stringify(values)],
  )
  if (!rows[0]) throw notFound('row')
  return rows[0]
}

/** Rows without events. */
export const insertRows = async (
  on: Queryable,
  table: Table,
  rows: readonly (readonly Column[])[],
): Promise<void> => {
  for (const cols of rows) await insertRow(on, table, readColumns(table.fields, cols))
}

/**
 * Every statement names the organization and the table. All functions throw a Fault on invalid
 * requests.
 */
export const createRows = (pool: pg.Pool) => {
  /** Subscribers are notified if and only if the change is committed. */
  const changed = (table: Table, change: (tx: Queryable) => Promise<Row>): Promise<Row> =>
    transaction(pool, async (tx) => {
      const row = await change(tx)
      await announce(tx, table.id, { kind: 'row', rowId: row.id })
      return row
    })

  return {
    select: async (table: Table, selection: Selection, range: Range): Promise<Row[]> =>
      (await pool.query<Row>(selectStatement(table, selection, range))).rows,

    count: async (table: Table, selection: Selection): Promise<number> => {
      const { rows } = await pool.query<{ count: number }>(countStatement(table, selection))
      return rows[0]?.count ?? 0
    },

    insert: async (table: Table, cols: readonly Column[]): Promise<Row> => {
      const values = readColumns(table.fields, cols)
      return changed(table, (tx) => insertRow(tx, table, values))
    },

    update: async (table: Table, id: string, cols: readonly Column[]): Promise<Row> => {
      const values = readColumns(table.fields, cols)
      return changed(table, (tx) => updateRow(tx, table, id, values))
    },

    /** Updates the row that has these values in the match fields; inserts one if there is none. */
    upsert: async (
      table: Table,
      matchFields: readonly string[],
      cols: readonly Column[],
    ): Promise<Row> => {
      const values = readColumns(table.fields, cols)
      return changed(table, async (tx) => {
        const id = await findMatch(tx, table, matchFields, values)
        return id === null ? insertRow(tx, table, values) : updateRow(tx, table, id, values)
      })
    },

    remove: async (table: Table, id: string): Promise<void> => {
      const { rowCount } = await pool.query(
        'delete from data_api.rows where organization_id = $1 and table_id = $2 and id = $3',
        [table.organizationId, table.id, id],
      )
      if (!rowCount) throw notFound('row')
    },
  }
}

export type Rows = ReturnType<typeof createRows>
