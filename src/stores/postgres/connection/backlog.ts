import type { Queryable } from './database.ts'

/**
 * How many rows of an outbox wait, and for how many seconds the longest one is overdue.
 * @param from its rows @param due when a row is due; null: it does not wait
 */
export const backlogIn = (on: Queryable, from: string, due = 'next_attempt_at') =>
  on.one<{ waiting: number; overdue: number }>(
    `select count(${due})::integer as waiting,
       greatest(0, coalesce(extract(epoch from now() - min(${due})), 0))::float8 as overdue
     from ${from}`,
  )
