import type { Queryable } from './database.ts'

/** How many rows of an outbox wait, and for how many seconds the longest one is overdue. @param from its waiting rows */
export const backlogIn = async (on: Queryable, from: string) =>
  (await on.row<{ waiting: number; overdue: number }>(
    `select count(*)::integer as waiting,
       greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as overdue
     from ${from}`,
  )) ?? { waiting: 0, overdue: 0 }
