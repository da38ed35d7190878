import type { Queryable } from './database.ts'

/** How many rows each of our tables has, as the statistics know it: the cost does not grow with the tables. */
export const estimateRows = async (
  database: Queryable,
): Promise<{ table: string; rows: number }[]> => {
  // reltuples is -1 until the first analyze, n_live_tup 0 after a crash.
  const { rows } = await database.query<{ table: string; rows: number }>(
    `select c.relname as "table",
            coalesce(nullif(s.n_live_tup, 0), greatest(c.reltuples, 0))::float8 as rows
       from pg_class c join pg_stat_user_tables s on s.relid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      order by c.relname`,
    [],
    'row_estimates',
  )
  return rows
}
