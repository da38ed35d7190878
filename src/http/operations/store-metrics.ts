import type { Declare } from './declare.ts'

export interface StoreMetrics {
  /**
   * One statement or script, as its caller waited for it.
   * @param began performance.now()
   * @param failed the store was away, not of another opinion
   */
  roundTrip(store: 'postgres' | 'redis', statement: string, began: number, failed: boolean): void
  /** Rows of a table that a clean-up removed. */
  rowsRemoved(table: string, count: number): void
  cleanedUp(succeeded: boolean): void
}

/** How the stores are doing, as seen from here. */
export const createStoreMetrics = (declare: Declare): StoreMetrics => {
  const roundTrips = declare.durations(
    'latchkey_store_round_trip_duration_seconds',
    'Time for one statement or script, waiting for a connection included',
    ['store'],
  )
  const errors = declare.counter(
    'latchkey_store_errors_total',
    'Statements and scripts that failed because the store was away or too slow',
    ['store'],
  )
  const runs = declare.counter(
    'latchkey_cleanup_runs_total',
    'Clean-ups of expired rows, by outcome',
    ['outcome'],
  )
  // An alert cannot look at a series that is not there yet.
  for (const outcome of ['ok', 'failed']) runs.inc({ outcome }, 0)
  const removed = declare.counter(
    'latchkey_cleanup_removed_rows_total',
    'Expired rows that were removed, by table',
    ['table'],
  )
  return {
    roundTrip: (store, _statement, began, failed) => {
      roundTrips.observe({ store }, (performance.now() - began) / 1000)
      if (failed) errors.inc({ store })
    },
    rowsRemoved: (table, count) => removed.inc({ table }, count),
    cleanedUp: (succeeded) => runs.inc({ outcome: succeeded ? 'ok' : 'failed' }),
  }
}
