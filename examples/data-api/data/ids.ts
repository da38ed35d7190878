import { randomBytes } from 'node:crypto'

/** An unguessable id with a prefix for its kind: a table, a field or a row. */
export const newId = (prefix: 'tbl' | 'fld' | 'rec') =>
  `${prefix}${randomBytes(12).toString('hex')}`
