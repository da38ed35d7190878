import { Counter, Histogram, type Registry } from 'prom-client'

export interface StoreMetrics {
  /** One statement or script, as its caller waited for it; `failed`: the store was away, not of another opinion. */
  roundTrip(store: 'postgres' | 'redis', seconds: number, failed: boolean): void
  /** Rows of a table that a clean-up removed. */
  rowsRemoved(table: string, count: number): void
  cleanedUp(succeeded: boolean): void
}

/** How the stores are doing, as seen from here. */
export const createStoreMetrics = (registry: Registry): StoreMetrics => {
  const registers = [registry]
  const roundTrips = new Histogram({
    name: 'latchkey_store_round_trip_duration_seconds',
    help: 'Time for one statement or script, waiting for a connection included',
    labelNames: ['store'] as const,
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const errors = new Counter({
    name: 'latchkey_store_errors_total',
    help: 'Statements and scripts that failed because the store was away or too slow',
    labelNames: ['store'] as const,
    registers,
  })
  const runs = new Counter({
    name: 'latchkey_cleanup_runs_total',
    help: 'Clean-ups of expired rows, by outcome',
    labelNames: ['outcome'] as const,
    registers,
  })
  const removed = new Counter({
    name: 'latchkey_cleanup_removed_rows_total',
    help: 'Expired rows that were removed, by table',
    labelNames: ['table'] as const,
    registers,
  })
  return {
    roundTrip: (store, seconds, failed) => {
      roundTrips.observe({ store }, seconds)
      if (failed) errors.inc({ store })
    },
    rowsRemoved: (table, count) => removed.inc({ table }, count),
    cleanedUp: (succeeded) => runs.inc({ outcome: succeeded ? 'ok' : 'failed' }),
  }
}
