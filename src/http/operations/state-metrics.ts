import type { Registry } from 'prom-client'
import { declareIn } from './declare.ts'

/** Values that are read at each scrape. Reading must be cheap. */
export interface StateSources {
  /** Connections of this instance to Postgres. */
  connections(): { open: number; idle: number; waiting: number; most: number }
  /** Estimates from Postgres' statistics. */
  rows(): Promise<{ table: string; rows: number }[]>
  /** Estimates for grant families; null until there are statistics. */
  families(): Promise<{ live: number; ended: number } | null>
  /** Keys in Redis; null without Redis. */
  redisKeys: (() => Promise<number>) | null
  signingKeys(): { status: string; since: Date }[]
  masterKeys: number
  /** Configuration problems of the stores. */
  warnings(): string[]
  /** Resource servers that wait on the revocation feed of this instance. */
  feedReaders(): number
  /** Readers of the feed that polled and have become silent. */
  silentReaders(): Promise<number>
  /** Requests that occupy a slot of `MAX_REQUESTS_UNDER_WAY`. */
  requestsUnderWay(): number
}

/** Registers gauges of the current state, read at each scrape. */
export const registerStateMetrics = (registry: Registry, sources: StateSources): void => {
  const { state } = declareIn(registry)
  // What only one worker sees is added up; what all of them see is not.
  const [own, common] = [state('sum'), state('max')]
  own('latchkey_database_connections', 'Connections to Postgres', ['state'], (one) => {
    const { open, idle } = sources.connections()
    one.set({ state: 'idle' }, idle)
    one.set({ state: 'in_use' }, open - idle)
  })
  own('latchkey_database_connections_max', 'Most connections to Postgres', [], (one) =>
    one.set(sources.connections().most),
  )
  own(
    'latchkey_database_waiting_requests',
    'Requests that wait for a connection to Postgres',
    [],
    (one) => one.set(sources.connections().waiting),
  )
  common('latchkey_table_rows', 'Rows by table, estimated', ['table'], async (one) => {
    for (const { table, rows } of await sources.rows()) one.set({ table }, rows)
  })
  common(
    'latchkey_grant_families',
    'Grant families by state, estimated',
    ['state'],
    async (one) => {
      const families = await sources.families()
      if (!families) return
      one.set({ state: 'live' }, families.live)
      one.set({ state: 'ended' }, families.ended)
    },
  )
  common('latchkey_redis_keys', 'Keys in Redis: families, records, counters', [], async (one) => {
    if (sources.redisKeys) one.set(await sources.redisKeys())
    else one.remove()
  })
  common(
    'latchkey_signing_key_status_timestamp_seconds',
    'When the oldest signing key of this status got the status',
    ['status'],
    (one) => {
      const oldestLast = sources.signingKeys().toSorted((a, b) => +b.since - +a.since)
      for (const { status, since } of oldestLast) one.set({ status }, +since / 1000)
    },
  )
  common(
    'latchkey_store_warning',
    '1 for each configuration problem of a store',
    ['warning'],
    (one) => {
      for (const warning of sources.warnings()) one.set({ warning }, 1)
    },
  )
  common('latchkey_master_keys', 'Configured master keys, older ones included', [], (one) =>
    one.set(sources.masterKeys),
  )
  own('latchkey_revocation_feed_readers', 'Clients that wait on the revocation feed', [], (one) =>
    one.set(sources.feedReaders()),
  )
  common(
    'latchkey_revocation_feed_readers_silent',
    'Processes of data APIs that read the revocation feed and do not any more, within a day',
    [],
    async (one) => one.set(await sources.silentReaders()),
  )
  own('latchkey_requests_under_way', 'Requests that occupy a slot', [], (one) =>
    one.set(sources.requestsUnderWay()),
  )
}
