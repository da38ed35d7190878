import type pg from 'pg'
import { type Queryable, transaction } from './database.ts'
import { announce } from './events.ts'
import { badInput, notFound } from './faults.ts'
import { type Field, fieldOf } from './fields.ts'
import { newId, tableBeginning } from './ids.ts'
import { createFieldIndexes, createPartition } from './indexes.ts'
import { limits } from './limits.ts'
import { createField, createFields, type NewField, readChoices } from './new-field.ts'
import type { Reach } from './reach.ts'
import type { FieldChange, NewTable, Place, Table, TableChange } from './table.ts'
import { nameIn, readText } from './texts.ts'

const select = `select t.id, t.interface, t.organization_id as "organizationId",
    t.workspace_id as "workspaceId", t.name, t.description, t.color, t.fields, t.filters,
    t.document_app as "documentApp", o.collation_name as "collation"
  from data_api.tables t join data_api.organizations o on o.id = t.organization_id
  where t.organization_id = $1 and t.interface = $2`
const inWorkspace = 't.workspace_id is not distinct from $3::text'

const targetIds = (fields: readonly { database?: string | null }[]) =>
  fields.flatMap(({ database }) => (database ? [database] : []))

/** Ids of other forms are unknown, not wrong. */
const canBeId = (id: string | null) => id === null || readText(id, limits.name) !== null

/** The tables of these ids that the caller reaches. */
const reached = async (on: Queryable, reach: Reach, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, Table>()
  const { rows } = await on.query<Table>(`${select} and t.id = any($3::text[])`, [
    reach.organizationId,
    reach.interface,
    ids.filter(canBeId),
  ])
  const seen = rows.filter(({ workspaceId }) => reach.reaches(workspaceId))
  return new Map(seen.map((table) => [table.id, { ...table, targets: new Map<string, Table>() }]))
}

const withTargets = async (on: Queryable, reach: Reach, found: readonly Table[]) => {
  const tables = found.filter(({ workspaceId }) => reach.reaches(workspaceId))
  const ids = targetIds(tables.flatMap(({ fields }) => fields))
  const targets = await reached(on, reach, [...new Set(ids)])
  return tables.map((table) => ({ ...table, targets }))
}

const insertStatement = `insert into data_api.tables
    (organization_id, interface, workspace_id, id, name, description, color, fields, filters,
     document_app)
  select $1, $2, $3::text, $4, $5, $6, $7, $8, $9, $10
   where (select count(*) from data_api.tables where organization_id = $1) < ${limits.tables}`

/** @param targets the tables that its references may lead to */
export const insertTable = async (
  tx: Queryable,
  { organizationId, interface: generation, workspaceId }: Place,
  made: NewTable,
  { targets, place }: { targets: ReadonlyMap<string, Table>; place: string },
): Promise<Table> => {
  const { description = null, color = null, filters = [], documentApp = false } = made
  const name = nameIn(made.name, 'name')
  const fields = createFields(made.fields, targets, { place, hasPrimary: made.hasPrimary ?? true })
  const id = newId('tbl')
  const { rowCount } = await tx.query(insertStatement, [
    ...[organizationId, generation, workspaceId, id, name, description, color],
    ...[JSON.stringify(fields), JSON.stringify(filters), documentApp],
  ])
  if (!rowCount) throw badInput(`an organization has at most ${limits.tables} tables`)
  const { rows } = await tx.query<Table>(`${select} and t.id = $3`, [
    organizationId,
    generation,
    id,
  ])
  const table = { ...(rows[0] as Table), targets }
  await createPartition(tx, table)
  return table
}

const textOrNull = (given: string | null, place: string) => {
  if (given !== null && readText(given, limits.text) === null)
    throw badInput(`a text of at most ${limits.text} characters`, place)
  return given
}

const changedField = (field: Field, change: FieldChange): Field => ({
  ...field,
  ...(change.name !== undefined && { name: nameIn(change.name, 'name') }),
  ...(change.required !== undefined && { required: change.required }),
  ...(change.restrict && { restrict: readChoices(field.type, change.restrict, 'restrict') }),
})

/** Every statement names the organization. A table that the caller does not reach is not found. */
export const createTables = (pool: pg.Pool) => {
  const one = async (on: Queryable, reach: Reach, where: string, values: (string | null)[]) => {
    if (!values.every(canBeId)) return null
    const { rows } = await on.query<Table>(`${select} and ${where}`, [
      reach.organizationId,
      reach.interface,
      ...values,
    ])
    return (await withTargets(on, reach, rows))[0] ?? null
  }

  /** Changes the present table, so that concurrent changes are not lost, and notifies. */
  const change = (
    reach: Reach,
    { id }: Table,
    work: (tx: Queryable, table: Table) => Promise<void>,
  ) =>
    transaction(pool, async (tx) => {
      const table = await one(tx, reach, 't.id = $3 for no key update of t', [id])
      if (!table) throw notFound('table')
      await work(tx, table)
      await announce(tx, id, { kind: 'table', rowId: null })
      return (await one(tx, reach, 't.id = $3', [id])) as Table
    })

  const setFields = ({ organizationId, id }: Table, fields: Field[], tx: Queryable) =>
    tx.query('update data_api.tables set fields = $3 where organization_id = $1 and id = $2', [
      organizationId,
      id,
      JSON.stringify(fields),
    ])

  return {
    find: (reach: Reach, workspaceId: string | null, id: string): Promise<Table | null> =>
      one(pool, reach, `${inWorkspace} and t.id = $4`, [workspaceId, id]),

    /** The table that contains this row. */
    findByRow: async (
      reach: Reach,
      workspaceId: string | null,
      rowId: string,
    ): Promise<Table | null> => {
      const beginning = tableBeginning(rowId)
      if (!beginning) return null
      const where = `${inWorkspace} and left(t.id, 15) = $4 and exists (
        select from data_api.rows r where r.organization_id = t.organization_id
          and r.table_id = t.id and r.id = $5 and r.removed_at is null)`
      return one(pool, reach, where, [workspaceId, beginning, rowId])
    },

    list: async (reach: Reach, workspaceId: string | null): Promise<Table[]> => {
      if (!canBeId(workspaceId)) return []
      const { rows } = await pool.query<Table>(`${select} and ${inWorkspace} order by t.position`, [
        reach.organizationId,
        reach.interface,
        workspaceId,
      ])
      return withTargets(pool, reach, rows)
    },

    /** The table of a reference. */
    target: async (reach: Reach, { database }: Field): Promise<Table | null> =>
      database === null ? null : one(pool, reach, 't.id = $3', [database]),

    create: (
      reach: Reach,
      workspaceId: string | null,
      made: NewTable,
      place = 'fields',
    ): Promise<Table> =>
      transaction(pool, async (tx) => {
        const targets = await reached(tx, reach, targetIds(made.fields))
        return insertTable(tx, { ...reach, workspaceId }, made, { targets, place })
      }),

    addField: (reach: Reach, table: Table, given: NewField, place = 'field'): Promise<Table> =>
      change(reach, table, async (tx, present) => {
        const { fields } = present
        if (fields.length >= limits.fields)
          throw badInput(`a table has at most ${limits.fields} fields`, place)
        const targets = await reached(tx, reach, targetIds([...fields, given]))
        const field = createField(given, { fields, targets }, { place })
        await setFields(present, [...fields, field], tx)
        await createFieldIndexes(tx, { ...present, targets }, field)
      }),

    change: (reach: Reach, table: Table, changes: TableChange): Promise<Table> =>
      change(reach, table, async (tx, present) => {
        const { name, description, color } = { ...present, ...changes }
        await tx.query(
          `update data_api.tables set name = $3, description = $4, color = $5
            where organization_id = $1 and id = $2`,
          [
            ...[present.organizationId, present.id, nameIn(name, 'name')],
            ...[textOrNull(description, 'description'), textOrNull(color, 'color')],
          ],
        )
      }),

    changeField: (
      reach: Reach,
      table: Table,
      fieldId: string,
      changes: FieldChange,
    ): Promise<Table> =>
      change(reach, table, async (tx, present) => {
        const field = fieldOf(present.fields, fieldId, 'fieldId')
        const changed = changedField(field, changes)
        await setFields(
          present,
          present.fields.map((one) => (one === field ? changed : one)),
          tx,
        )
      }),
  }
}

export type Tables = ReturnType<typeof createTables>
