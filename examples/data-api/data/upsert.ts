import type { Queryable } from './database.ts'
import { badInput, severalMatch } from './faults.ts'
import type { Table } from './tables.ts'
import type { Value } from './values.ts'

const matchedValues = (
  matchFields: readonly string[],
  values: Readonly<Record<string, Value>>,
): [fieldId: string, value: Value][] => {
  if (matchFields.length === 0) throw badInput('there is at least one match field')
  return matchFields.map((fieldId) => {
    const value = Object.hasOwn(values, fieldId) ? values[fieldId] : undefined
    if (!value || value.val === null) throw badInput('a match field is missing or empty')
    return [fieldId, value]
  })
}

/**
 * Finds the row that has the given values in the match fields, and locks it. Concurrent callers for
 * this table wait until the transaction has ended, so only one of them finds nothing. @returns its
 * id; null if there is none @throws Fault if there are several, or if a match field is missing or
 * empty
 */
export const findMatch = async (
  tx: Queryable,
  table: Table,
  matchFields: readonly string[],
  values: Readonly<Record<string, Value>>,
): Promise<string | null> => {
  const matched = matchedValues(matchFields, values)
  const place = [table.organizationId, table.id]
  // Inserts reference the table and are not blocked by this lock.
  await tx.query(
    'select from data_api.tables where organization_id = $1 and id = $2 for no key update',
    place,
  )
  // Containment in both directions: lists with the same choices are equal, in any order.
  const { rows } = await tx.query<{ id: string }>(
    `select r.id from data_api.rows r
      where r.organization_id = $1 and r.table_id = $2
        and not exists (
          select from unnest($3::text[], $4::jsonb[]) as m (field_id, value)
           where (r.cells -> m.field_id @> m.value and r.cells -> m.field_id <@ m.value) is not true
        )
      order by r.position limit 2 for update`,
    [...place, matched.map(([id]) => id), matched.map(([, value]) => JSON.stringify(value))],
  )
  if (rows.length > 1) throw severalMatch()
  return rows[0]?.id ?? null
}
