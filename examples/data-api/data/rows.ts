import type pg from 'pg'
import type { Attached, Attachments } from './attached.ts'
import { faultOf, type Queryable, transaction } from './database.ts'
import { searchTextOf } from './display.ts'
import { announce } from './events.ts'
import { badInput, notFound, tooCostly } from './faults.ts'
import { calculate } from './formulas.ts'
import { isRowId, newRowId } from './ids.ts'
import { limits } from './limits.ts'
import { findPage } from './pages.ts'
import { addLabels, checkReferences, emptyReferences, lockRows } from './references.ts'
import {
  countStatement,
  type Range,
  type Selection,
  type Statement,
  sizeStatement,
} from './selection.ts'
import type { Table } from './table.ts'
import { findMatch } from './upsert.ts'
import { type Column, placesOf, readColumns, type Value, type Values } from './values.ts'

export interface Row {
  id: string
  /** By field id, of all fields that are read; null is not set. */
  values: Record<string, Value | null>
  createdAt: Date
  updatedAt: Date
}

/** Values that were read, and where they were in the input. */
interface Written {
  values: Values
  places: ReadonlyMap<string, string>
}

const storedOf = ({ fields }: Table, values: Values) => {
  const cells = calculate(fields, values)
  const stored = JSON.stringify(cells)
  if (stored.length > limits.row) throw badInput(`a row has at most ${limits.row} characters`)
  return [stored, searchTextOf(fields, cells).toLowerCase()]
}

/** @returns its id */
export const insertRow = async (tx: Queryable, table: Table, values: Values): Promise<string> => {
  const id = newRowId(table.id)
  await tx.query(
    `insert into data_api.rows (organization_id, table_id, id, cells, search_text)
     values ($1, $2, $3, $4, $5)`,
    [table.organizationId, table.id, id, ...storedOf(table, values)],
  )
  return id
}

/**
 * Fields that are not given stay. No update unsets a field, so an emptied field is never "not set"
 * again.
 */
const updateRow = async (tx: Queryable, table: Table, id: string, values: Values) => {
  const place = [table.organizationId, table.id, id]
  const { rows } = await tx.query<{ cells: Values }>(
    `select r.cells from data_api.rows r where r.organization_id = $1 and r.table_id = $2
        and r.id = $3 and r.removed_at is null for no key update`,
    place,
  )
  if (!rows[0]) throw notFound('row')
  await tx.query(
    `update data_api.rows set cells = $4, search_text = $5, updated_at = now()
      where organization_id = $1 and table_id = $2 and id = $3`,
    [...place, ...storedOf(table, { ...rows[0].cells, ...values })],
  )
  return id
}

/** The values of the fields that are read, in the form of answers. */
const shownOf = ({ fields }: Table, row: Row, only: readonly string[] | undefined) => {
  const moments = { createdAt: row.createdAt, updatedAt: row.updatedAt }
  const shown = fields.filter(({ id }) => only?.includes(id) ?? true)
  const shownValue = (id: string, type: string): Value | null =>
    type === 'createdAt' || type === 'updatedAt'
      ? { val: moments[type].toISOString() }
      : (row.values[id] ?? null)
  return {
    ...row,
    values: Object.fromEntries(shown.map(({ id, type }) => [id, shownValue(id, type)])),
  }
}

/**
 * Every statement names the organization and the table. All functions throw a Fault on invalid
 * requests.
 */
export const createRows = (pool: pg.Pool, attachments: Attachments) => {
  /** @throws Fault if it would scan a large table */
  const run = async <One extends pg.QueryResultRow>(
    on: Queryable,
    table: Table,
    statement: Statement,
  ) => {
    if (statement.isScan) {
      const { rows } = await on.query<{ count: number }>(sizeStatement(table))
      if ((rows[0]?.count ?? 0) > limits.scanned)
        throw tooCostly(
          `by such a field only tables of at most ${limits.scanned} rows are searched`,
        )
    }
    const { rows } = await on.query<One>(statement).catch((error) => {
      throw faultOf(error)
    })
    return rows
  }

  /** A page of several statements is one of the same moment. */
  const found = (table: Table, selection: Selection, range: Range): Promise<Row[]> => {
    const find = (on: Queryable) =>
      findPage<Row>((statement) => run(on, table, statement), table, selection, range)
    return (range.sort ?? []).length > 1 ? transaction(pool, find, 'repeatable read') : find(pool)
  }

  const select = async (table: Table, selection: Selection, range: Range): Promise<Row[]> => {
    const page = await found(table, selection, range)
    const rows = page.map((row) => shownOf(table, row, range.only))
    await addLabels(pool, table, rows)
    return rows
  }

  /** Files of attachments are stored before the row, and discarded if it is not written. */
  const withFiles = async <Result>(
    { organizationId, fields }: Table,
    { values, places }: Written,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const stored: Attached[] = []
    try {
      for (const { id, type } of fields) {
        const val = values[id]?.val
        if (type !== 'attachment' || typeof val !== 'string') continue
        const place = places.get(id) ?? ''
        const file = await attachments.store(organizationId, val, place)
        if (file.val !== val && stored.push(file) > limits.files)
          throw badInput(`at most ${limits.files} files are stored at once`, place)
        values[id] = { val: file.val, size: file.size, type: file.type }
      }
      return await work()
    } catch (error) {
      for (const file of stored) await attachments.discard(organizationId, file)
      throw error
    }
  }

  /** Subscribers are notified if and only if the change is committed. */
  const write = async (
    table: Table,
    { cols, place }: { cols: readonly Column[]; place: string },
    change: (tx: Queryable, values: Values) => Promise<string>,
    updated?: string,
  ): Promise<Row> => {
    const written = {
      values: readColumns(table.fields, cols, place),
      places: placesOf(cols, place),
    }
    const id = await withFiles(table, written, () =>
      transaction(pool, async (tx) => {
        if (updated !== undefined) await lockRows(tx, table, updated, written.values)
        await checkReferences(tx, table, written.values, written.places)
        const rowId = await change(tx, written.values)
        await announce(tx, table.id, { kind: 'row', rowId })
        return rowId
      }),
    )
    const [row] = await select(table, { ids: [id] }, { limit: 1 })
    if (!row) throw notFound('row')
    return row
  }

  return {
    select,

    count: async (table: Table, selection: Selection): Promise<number> => {
      const rows = await run<{ count: number }>(pool, table, countStatement(table, selection))
      return rows[0]?.count ?? 0
    },

    /** @param place of the values in the input */
    insert: (table: Table, cols: readonly Column[], place: string): Promise<Row> =>
      write(table, { cols, place }, (tx, values) => insertRow(tx, table, values)),

    update: async (
      table: Table,
      id: string,
      cols: readonly Column[],
      place: string,
    ): Promise<Row> => {
      if (!isRowId(id)) throw notFound('row')
      return write(table, { cols, place }, (tx, values) => updateRow(tx, table, id, values), id)
    },

    /** Updates the row that has these values in the match fields; inserts one if there is none. */
    upsert: (
      table: Table,
      matchFields: readonly string[],
      cols: readonly Column[],
      place: string,
    ): Promise<Row> =>
      write(table, { cols, place }, async (tx, values) => {
        const id = await findMatch(tx, table, matchFields, values)
        return id === null ? insertRow(tx, table, values) : updateRow(tx, table, id, values)
      }),

    /** Moves a row to the trash; references to it become empty. */
    remove: (table: Table, id: string): Promise<void> =>
      transaction(pool, async (tx) => {
        if (!isRowId(id)) throw notFound('row')
        const { rowCount } = await tx.query(
          `update data_api.rows set removed_at = now(), updated_at = now()
            where organization_id = $1 and table_id = $2 and id = $3 and removed_at is null`,
          [table.organizationId, table.id, id],
        )
        if (!rowCount) throw notFound('row')
        await emptyReferences(tx, table, id)
        await announce(tx, table.id, { kind: 'removed', rowId: id })
      }),
  }
}

export type Rows = ReturnType<typeof createRows>
