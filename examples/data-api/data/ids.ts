import { randomBytes } from 'node:crypto'

/** An unguessable id with a prefix for its kind. */
export const newId = (prefix: 'tbl' | 'fld' | 'tem' | 'viw' | 'tpl') =>
  `${prefix}${randomBytes(12).toString('hex')}`

/** Characters of a table's id that the ids of its rows share, without the prefix. */
const shared = 12

/** Begins like the id of its table, so that a row's table is found by the row's id alone. */
export const newRowId = (tableId: string) =>
  `rec${tableId.slice(3, 3 + shared)}${randomBytes(12).toString('hex')}`

/** The beginning of the table's id. @returns null if it is not the id of a row */
export const tableBeginning = (rowId: string): string | null =>
  /^rec[0-9a-f]{36}$/.test(rowId) ? `tbl${rowId.slice(3, 3 + shared)}` : null

export const isRowId = (text: unknown): text is string =>
  typeof text === 'string' && tableBeginning(text) !== null
