import type { Queryable } from './database.ts'

/** Estimated number of rows per table, from the statistics: the cost does not grow with the tables. */
export const estimateRows = (database: Queryable) =>
  // reltuples is -1 before the first analyze; n_live_tup is 0 after a crash.
  database.rows<{ table: string; rows: number }>(
    `select c.relname as "table",
            coalesce(nullif(s.n_live_tup, 0), greatest(c.reltuples, 0))::float8 as rows
       from pg_class c join pg_stat_user_tables s on s.relid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      order by c.relname`,
    [],
    'row_estimates',
  )

/**
 * Estimated number of live and ended grant families, from the statistics.
 * @returns null before the table was first analyzed
 */
export const estimateFamilies = async (database: Queryable) => {
  const found = await database.row<{ rows: number; live: number }>(
    `select coalesce(nullif(s.n_live_tup, 0), greatest(c.reltuples, 0))::float8 as rows,
            p.null_frac::float8 as live
       from pg_class c
       join pg_stat_user_tables s on s.relid = c.oid
       join pg_stats p on p.schemaname = s.schemaname and p.tablename = s.relname
      where c.oid = 'grants'::regclass and p.attname = 'ended_at'`,
    [],
    'family_estimates',
  )
  if (!found) return null
  const live = Math.round(found.rows * found.live)
  return { live, ended: found.rows - live }
}
