import type { Queryable } from './database.ts'

/**
 * How many rows of an outbox wait, and for how many seconds the longest one is overdue.
 * @param from its waiting rows @param due when a row is due
 */
export const backlogIn = (on: Queryable, from: string, due = 'next_attempt_at') =>
  on.one<{ waiting: number; overdue: number }>(
    `select count(*)::integer as waiting,
       greatest(0, coalesce(extract(epoch from now() - min(${due})), 0))::float8 as overdue
     from ${from}`,
  )
