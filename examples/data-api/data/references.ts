import { literal } from './columns.ts'
import type { Queryable } from './database.ts'
import { labelOf } from './display.ts'
import { announce } from './events.ts'
import { notFound } from './faults.ts'
import type { Field } from './fields.ts'
import { limits } from './limits.ts'
import type { Table } from './table.ts'
import { isReference } from './types.ts'
import type { Value, Values } from './values.ts'

/** The ids in the value of a reference. */
const idsIn = (value: Value | null | undefined): string[] => {
  const val = value?.val ?? []
  return Array.isArray(val) ? (val as string[]) : [String(val)]
}

const target = ({ targets }: Table, { database }: Field) => targets.get(database ?? '')

const referencesOf = ({ fields }: Table) => fields.filter(({ type }) => isReference(type))

/**
 * Locks a row that is updated and the rows that it will refer to, in one order, so that rows that
 * refer to each other are not locked crosswise.
 */
export const lockRows = async (
  tx: Queryable,
  table: Table,
  id: string,
  values: Values,
): Promise<void> => {
  const fields = referencesOf(table).filter((field) => idsIn(values[field.id]).length > 0)
  if (fields.length === 0) return
  await tx.query(
    `select from data_api.rows r where r.organization_id = $1 and r.table_id = any($2::text[])
        and r.id = any($3::text[]) order by r.id for no key update`,
    [
      table.organizationId,
      [table.id, ...fields.map(({ database }) => database)],
      [id, ...fields.flatMap((field) => idsIn(values[field.id]))],
    ],
  )
}

/**
 * Checks that the rows exist and are reached, and keeps them until the transaction has ended.
 * @param places of the fields in the input
 */
export const checkReferences = async (
  tx: Queryable,
  table: Table,
  values: Values,
  places: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const field of referencesOf(table)) {
    const ids = idsIn(values[field.id])
    if (ids.length === 0) continue
    const { rowCount } = await tx.query(
      `select from data_api.rows r where r.organization_id = $1 and r.table_id = $2
          and r.id = any($3::text[]) and r.removed_at is null order by r.id for share`,
      [table.organizationId, target(table, field)?.id ?? '', ids],
    )
    if (rowCount !== ids.length) throw notFound('row', places.get(field.id))
  }
}

/** The labels of rows that exist, by id. */
const labelsOf = async (on: Queryable, { organizationId, id, fields }: Table, ids: string[]) => {
  const primary = fields.find((field) => field.primary)
  const { rows } = await on.query<{ id: string; value: Value | null }>(
    `select r.id, r.cells -> $4::text as value from data_api.rows r
      where r.organization_id = $1 and r.table_id = $2 and r.id = any($3::text[])
        and r.removed_at is null`,
    [organizationId, id, ids, primary?.id ?? ''],
  )
  return rows.map((row): [string, string] => [row.id, primary ? labelOf(row.value) : row.id])
}

const withLabel = (value: Value, labels: ReadonlyMap<string, string>): Value => {
  const ids = idsIn(value).filter((id) => labels.has(id))
  const shown = ids.map((id) => labels.get(id) ?? '')
  if (ids.length === 0) return { val: null }
  return Array.isArray(value.val)
    ? { val: ids, _label: shown }
    : { val: ids[0] ?? null, _label: shown[0] ?? '' }
}

/**
 * Adds the labels of references. A row that does not exist or is not reached leaves them empty.
 */
export const addLabels = async (
  on: Queryable,
  table: Table,
  rows: readonly { values: Record<string, Value | null> }[],
): Promise<void> => {
  const labels = new Map<string, string>()
  const fields = referencesOf(table)
  for (const to of table.targets.values()) {
    const ids = fields
      .filter(({ database }) => database === to.id)
      .flatMap(({ id }) => rows.flatMap(({ values }) => idsIn(values[id])))
    if (ids.length === 0) continue
    for (const [id, label] of await labelsOf(on, to, [...new Set(ids)])) labels.set(id, label)
  }
  for (const { values } of rows)
    for (const { id } of fields) {
      const value = values[id]
      if (value) values[id] = withLabel(value, labels)
    }
}

const emptied = `'{"val": null}'::jsonb`

type From = Pick<Table, 'id' | 'organizationId' | 'workspaceId' | 'fields'>

/**
 * Empties one field of all rows that refer to a row. @param isSeen the callers that reach the table
 * also reach the row; others must not notice that it is gone, not even by `updated_at`
 */
const emptyField = async (
  tx: Queryable,
  { table, field, isSeen }: { table: From; field: Field; isSeen: boolean },
  rowId: string,
) => {
  const id = literal(field.id)
  const val = `(cells -> ${id} -> 'val')`
  const [matches, left] =
    field.type === 'ref'
      ? [`((cells -> ${id} ->> 'val') collate "C") = $2::text`, emptied]
      : [
          `${val} ? $2::text`,
          `case when ${val} - $2::text = '[]' then ${emptied}
             else jsonb_build_object('val', ${val} - $2::text) end`,
        ]
  const { rows } = await tx.query<{ id: string }>(
    `update data_api.rows set cells = cells || jsonb_build_object(${id}::text, ${left})
        ${isSeen ? ', updated_at = now()' : ''}
      where organization_id = $1 and table_id = ${literal(table.id)} and removed_at is null
        and ${matches} returning id`,
    [table.organizationId, rowId],
  )
  for (const row of rows.slice(0, limits.references))
    await announce(tx, table.id, { kind: 'row', rowId: row.id })
}

/** Empties all references to a row, required ones too. */
export const emptyReferences = async (
  tx: Queryable,
  table: Table,
  rowId: string,
): Promise<void> => {
  const { rows } = await tx.query<From>(
    `select t.id, t.organization_id as "organizationId", t.workspace_id as "workspaceId", t.fields
       from data_api.tables t
      where t.organization_id = $1 and t.fields @> $2::jsonb order by t.position`,
    [table.organizationId, JSON.stringify([{ database: table.id }])],
  )
  for (const from of rows)
    for (const field of from.fields) {
      const isSeen = from.workspaceId === table.workspaceId
      if (field.database === table.id) await emptyField(tx, { table: from, field, isSeen }, rowId)
    }
}
