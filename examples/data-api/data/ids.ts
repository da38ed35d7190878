import { randomBytes } from 'node:crypto'

/** An id that cannot be guessed, and that says what it is of: a table, a field or a row. */
export const newId = (prefix: 'tbl' | 'fld' | 'rec') =>
  `${prefix}${randomBytes(12).toString('hex')}`
