import type pg from 'pg'
import type { Reach } from './reach.ts'
import type { Table } from './table.ts'

/** A saved view of a table. */
export interface View {
  id: string
  name: string
  /** Seen by one user only. */
  isPrivate: boolean
  filter: unknown
  sort: unknown
}

export const createViews = (pool: pg.Pool) => ({
  /** Shared views, and the caller's own ones. */
  list: async ({ userId }: Reach, table: Table): Promise<View[]> => {
    const { rows } = await pool.query<View>(
      `select v.id, v.name, v.user_id is not null as "isPrivate", v.filter, v.sort
         from data_api.views v where v.organization_id = $1 and v.table_id = $2
          and (v.user_id is null or v.user_id = $3::text) order by v.name, v.id`,
      [table.organizationId, table.id, userId],
    )
    return rows
  },
})

export type Views = ReturnType<typeof createViews>
