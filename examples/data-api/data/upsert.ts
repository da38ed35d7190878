import { hasValue } from './conditions.ts'
import type { Queryable } from './database.ts'
import { badInput, severalMatch } from './faults.ts'
import { fieldOf } from './fields.ts'
import { limits } from './limits.ts'
import { selectStatement } from './selection.ts'
import type { Table } from './table.ts'
import type { Values } from './values.ts'

/** @throws Fault if a match field is missing or empty */
const matchOf = ({ fields }: Table, matchFields: readonly string[], values: Values) => {
  if (matchFields.length === 0 || matchFields.length > limits.fields)
    throw badInput('there is at least one match field', 'matchFields')
  return matchFields.map((id, at) => {
    const place = `matchFields[${at}]`
    const field = fieldOf(fields, id, place)
    const value = values[id]
    if (!value || value.val === null)
      throw badInput(`the match field ${id} is missing or empty`, place)
    return hasValue(field, value, place)
  })
}

/**
 * Finds the row that has the given values in the match fields. Concurrent callers for this table
 * wait until the transaction has ended, so only one of them finds nothing. @returns its id; null if
 * there is none @throws Fault if there are several, or if a match field is missing or empty
 */
export const findMatch = async (
  tx: Queryable,
  table: Table,
  matchFields: readonly string[],
  values: Values,
): Promise<string | null> => {
  const condition = { all: matchOf(table, matchFields, values) }
  await tx.query(
    'select from data_api.tables where organization_id = $1 and id = $2 for no key update',
    [table.organizationId, table.id],
  )
  const { text, values: operands } = selectStatement(table, { condition }, { limit: 2, only: [] })
  // Locked, so that a row that is being deleted is not found.
  const { rows } = await tx.query<{ id: string }>(`${text} for no key update of r`, operands)
  if (rows.length > 1) throw severalMatch()
  return rows[0]?.id ?? null
}
