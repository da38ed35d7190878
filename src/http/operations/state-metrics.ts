import { type Aggregator, Gauge, type Registry } from 'prom-client'

/** What is asked at each scrape; each must be cheap. */
export interface StateSources {
  /** Connections of this instance to Postgres. */
  connections(): { open: number; idle: number; waiting: number; most: number }
  /** Estimates of Postgres' own statistics. */
  rows(): Promise<{ table: string; rows: number }[]>
  /** Keys in Redis; null without Redis. */
  redisKeys: (() => Promise<number>) | null
  signingKeys(): { status: string; since: Date }[]
  masterKeys: number
  /** What is wrong with how the stores are set up. */
  warnings(): string[]
  /** Resource servers that wait at the revocation feed of this instance. */
  feedReaders(): number
}

/** Gauges of what is, read when somebody asks. A store that is away leaves its own out and the others in. */
export const registerStateMetrics = (registry: Registry, sources: StateSources): void => {
  // Of several workers: `sum` for what each has of its own, `max` for what all of them see.
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    aggregator: Aggregator,
    read: (one: Gauge<Label>) => Promise<void> | void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      aggregator,
      registers: [registry],
      async collect() {
        this.reset()
        await Promise.resolve(read(this)).catch(() => this.reset())
      },
    })

  gauge('latchkey_database_connections', 'Connections to Postgres', ['state'], 'sum', (one) => {
    const { open, idle } = sources.connections()
    one.set({ state: 'idle' }, idle)
    one.set({ state: 'in_use' }, open - idle)
  })
  gauge('latchkey_database_connections_max', 'Most connections to Postgres', [], 'sum', (one) =>
    one.set(sources.connections().most),
  )
  gauge(
    'latchkey_database_waiting_requests',
    'Who waits for a connection to Postgres',
    [],
    'sum',
    (one) => one.set(sources.connections().waiting),
  )
  gauge('latchkey_table_rows', 'Rows by table, estimated', ['table'], 'max', async (one) => {
    for (const { table, rows } of await sources.rows()) one.set({ table }, rows)
  })
  gauge(
    'latchkey_redis_keys',
    'Keys in Redis: families, records, counters',
    [],
    'max',
    async (one) => {
      if (sources.redisKeys) one.set(await sources.redisKeys())
      else one.remove()
    },
  )
  gauge(
    'latchkey_signing_key_status_timestamp_seconds',
    'Since when there is a signing key of this status; of several the oldest',
    ['status'],
    'max',
    (one) => {
      const oldestLast = sources.signingKeys().toSorted((a, b) => +b.since - +a.since)
      for (const { status, since } of oldestLast) one.set({ status }, +since / 1000)
    },
  )
  gauge(
    'latchkey_store_warning',
    '1 for each thing that is wrong with how a store is set up',
    ['warning'],
    'max',
    (one) => {
      for (const warning of sources.warnings()) one.set({ warning }, 1)
    },
  )
  gauge('latchkey_master_keys', 'Master keys in force, older ones included', [], 'max', (one) =>
    one.set(sources.masterKeys),
  )
  gauge('latchkey_revocation_feed_readers', 'Who waits at the revocation feed', [], 'sum', (one) =>
    one.set(sources.feedReaders()),
  )
}
