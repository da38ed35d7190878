import type { Declare } from './declare.ts'

/** Metrics of the stores as this process sees them. */
export const createStoreMetrics = (declare: Declare) => {
  const roundTrips = declare.durations(
    'latchkey_store_round_trip_duration_seconds',
    'Time for one statement or script, waiting for a connection included',
    ['store'],
  )
  const errors = declare.counter(
    'latchkey_store_errors_total',
    'Statements and scripts that failed because the store was unavailable or too slow',
    ['store'],
  )
  const runs = declare.counter(
    'latchkey_cleanup_runs_total',
    'Clean-ups of expired rows, by outcome',
    ['outcome'],
  )
  // Create the series now: an alert cannot use one that does not exist yet.
  for (const outcome of ['ok', 'failed']) runs.inc({ outcome }, 0)
  const removed = declare.counter(
    'latchkey_cleanup_removed_rows_total',
    'Expired rows that were removed, by table',
    ['table'],
  )
  return {
    /**
     * One statement or script, timed from its caller's point of view.
     * @param began performance.now()
     * @param failed true when the store was unavailable or too slow, not when it returned an error
     */
    roundTrip: (
      store: 'postgres' | 'redis',
      _statement: string,
      began: number,
      failed: boolean,
    ) => {
      roundTrips.observe({ store }, (performance.now() - began) / 1000)
      if (failed) errors.inc({ store })
    },
    /** Rows of a table that a clean-up removed. */
    rowsRemoved: (table: string, count: number) => removed.inc({ table }, count),
    cleanedUp: (succeeded: boolean) => runs.inc({ outcome: succeeded ? 'ok' : 'failed' }),
  }
}
