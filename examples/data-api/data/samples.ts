import { readFile } from 'node:fs/promises'
import { type Attachments, noAttachments } from './attached.ts'
import type { Queryable } from './database.ts'
import { newId } from './ids.ts'
import { insertRow } from './rows.ts'
import type { NewTable, Place, Table } from './table.ts'
import { insertTable } from './tables.ts'
import { isReference } from './types.ts'
import { readColumns } from './values.ts'

/** A value; in a reference, numbers of rows of the sample that it leads to. */
interface SampleValue {
  val: unknown
  currency?: string
}

/** A sample table. Its references name samples before it, and `{Name}` is the id of a field. */
interface Sample extends NewTable {
  rows: Record<string, SampleValue>[]
  templates?: { path: string[]; content: Record<number, string> }[]
  views?: { name: string; isPrivate: boolean; filter: unknown }[]
}

interface Made {
  table: Table
  rowIds: string[]
}

export const readSamples = async (): Promise<
  Record<'legacy' | 'organization' | 'workspace', Sample[]>
> => JSON.parse(await readFile(new URL('samples.json', import.meta.url), 'utf8'))

const isSeeded = async (tx: Queryable, place: Place) => {
  const { rowCount } = await tx.query(
    `select from data_api.tables where organization_id = $1 and interface = $2
        and workspace_id is not distinct from $3::text limit 1`,
    [place.organizationId, place.interface, place.workspaceId],
  )
  return rowCount !== 0
}

/** A filter with the ids of fields, in the form of the interface. */
const withIds = ({ fields, workspaceId, organizationId, ...table }: Table, filter: unknown) => {
  const prefix = table.interface === 'current' ? `${workspaceId ?? organizationId}|` : ''
  const named = (text: string, { id, name }: Table['fields'][number]) =>
    text.replaceAll(`"{${name}}"`, `"${prefix}${id}"`)
  return fields.reduce(named, JSON.stringify(filter))
}

/** A place without a table gets sample tables. */
export const seedTables =
  (tx: Queryable, place: Place, attachments: Attachments) =>
  async (samples: readonly Sample[], userId: string | null = null): Promise<void> => {
    const made = new Map<string, Made>()

    const sampleValue = async ({ fields }: Table, name: string, { val, ...rest }: SampleValue) => {
      const field = fields.find((one) => one.name === name)
      if (!field) throw new Error(`a sample has no field ${name}`)
      const to = [...made.values()].find(({ table }) => table.id === field.database)
      const idOf = (at: unknown) => to?.rowIds[Number(at)]
      const given = isReference(field.type) ? (Array.isArray(val) ? val.map(idOf) : idOf(val)) : val
      if (field.type !== 'attachment') return { field, value: { val: given, ...rest } }
      if (attachments === noAttachments) return { field, value: null }
      return { field, value: await attachments.store(place.organizationId, String(val), name) }
    }

    const seedRow = async (table: Table, row: Sample['rows'][number]) => {
      const values: ReturnType<typeof readColumns> = {}
      for (const [name, given] of Object.entries(row)) {
        const { field, value } = await sampleValue(table, name, given)
        if (value === null) continue
        if (field.type === 'attachment') values[field.id] = value as { val: string }
        else Object.assign(values, readColumns(table.fields, [{ fieldId: field.id, value }], name))
      }
      return insertRow(tx, table, values)
    }

    const seedTemplates = async ({ table, rowIds }: Made, { templates = [] }: Sample) => {
      for (const { path, content } of templates) {
        const id = newId('tpl')
        const owner = [table.organizationId, table.id]
        await tx.query(
          `insert into data_api.templates (organization_id, table_id, id, path)
           values ($1, $2, $3, $4)`,
          [...owner, id, path],
        )
        for (const [at, text] of Object.entries(content))
          await tx.query(
            `insert into data_api.contents (organization_id, table_id, row_id, template_id, content)
             values ($1, $2, $3, $4, $5)`,
            [...owner, rowIds[Number(at)], id, text],
          )
      }
    }

    const seedViews = async ({ table }: Made, { views = [], filters = [] }: Sample) => {
      for (const { name, isPrivate, filter } of views) {
        if (isPrivate && userId === null) continue
        await tx.query(
          `insert into data_api.views (organization_id, table_id, id, user_id, name, filter)
           values ($1, $2, $3, $4, $5, $6)`,
          [
            ...[table.organizationId, table.id, newId('viw'), isPrivate ? userId : null, name],
            withIds(table, filter),
          ],
        )
      }
      await tx.query(
        'update data_api.tables set filters = $3 where organization_id = $1 and id = $2',
        [table.organizationId, table.id, withIds(table, filters)],
      )
    }

    const seed = async ({ rows, templates: _, views: __, filters: ___, ...sample }: Sample) => {
      const targets = new Map([...made.values()].map(({ table }) => [table.id, table]))
      const fields = sample.fields.map((field) => ({
        ...field,
        database: (field.database && made.get(field.database)?.table.id) ?? null,
      }))
      const options = { targets, place: sample.name }
      const table = await insertTable(tx, place, { ...sample, fields }, options)
      const rowIds: string[] = []
      made.set(sample.name, { table, rowIds })
      for (const row of rows) rowIds.push(await seedRow(table, row))
      return { table, rowIds }
    }

    if (await isSeeded(tx, place)) return
    for (const sample of samples) {
      const one = await seed(sample)
      await seedTemplates(one, sample)
      await seedViews(one, sample)
    }
  }
