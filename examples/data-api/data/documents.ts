import type pg from 'pg'
import type { Table } from './table.ts'

/** A template of the documents app. */
export interface Template {
  id: string
  /** Its folders and its name. */
  path: string
  name: string
}

/** The document of a row, made from a template. */
export interface Content extends Template {
  content: string
}

const columns = `t.id, array_to_string(t.path, ' > ') as path,
  t.path[cardinality(t.path)] as name`

/** The entries by one of their properties, without it. */
const grouped = <Entry>(entries: readonly (Entry & { of: string })[]): Map<string, Entry[]> => {
  const groups = new Map<string, Entry[]>()
  for (const { of, ...entry } of entries) {
    const group = groups.get(of) ?? []
    group.push(entry as Entry)
    groups.set(of, group)
  }
  return groups
}

export const createDocuments = (pool: pg.Pool) => ({
  /** The templates of tables, by the id of the table. */
  templates: async (tables: readonly Table[]): Promise<Map<string, Template[]>> => {
    const { rows } = await pool.query<Template & { of: string }>(
      `select t.table_id as of, ${columns} from data_api.templates t
        where t.organization_id = $1 and t.table_id = any($2::text[]) order by t.path`,
      [tables[0]?.organizationId ?? '', tables.map(({ id }) => id)],
    )
    return grouped(rows)
  },

  /** The documents of rows, by the id of the row. @param templateIds only of these; null for all */
  content: async (
    table: Table,
    rowIds: readonly string[],
    templateIds: readonly string[] | null = null,
  ): Promise<Map<string, Content[]>> => {
    const { rows } = await pool.query<Content & { of: string }>(
      `select c.row_id as of, ${columns}, c.content from data_api.contents c
         join data_api.templates t
           on t.organization_id = c.organization_id and t.id = c.template_id
        where c.organization_id = $1 and c.table_id = $2 and c.row_id = any($3::text[])
          and ($4::text[] is null or c.template_id = any($4::text[])) order by t.path`,
      [table.organizationId, table.id, rowIds, templateIds],
    )
    return grouped(rows)
  },
})

export type Documents = ReturnType<typeof createDocuments>
