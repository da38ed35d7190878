import type { FamilyStore } from '../../src/core/grants/families.ts'
import type { CounterStore, RecordStore } from '../../src/core/limits/records.ts'
import { openDatabase } from '../../src/stores/postgres/connection/database.ts'
import { migrate } from '../../src/stores/postgres/connection/migrate.ts'
import {
  createCounterStore as createCounterTable,
  createRecordStore as createRecordTable,
} from '../../src/stores/postgres/connection/records.ts'
import { createFamilyStore as createFamilyTable } from '../../src/stores/postgres/grants/families.ts'
import { connectRedis } from '../../src/stores/redis/connection.ts'
import { createFamilyStore } from '../../src/stores/redis/families.ts'
import { createCounterStore, createRecordStore } from '../../src/stores/redis/records.ts'
import { createStoreClock, type StoreClock } from '../../src/stores/store-clock.ts'
import type { StoreSetup } from '../support/stores.ts'

/** The live state of one instance. */
export interface LiveStores {
  families: FamilyStore
  records: RecordStore
  counters: CounterStore
  close(): Promise<void>
}

export interface OpenOptions {
  /**
   * Milliseconds. The default is long, so that a busy machine does not look like an unavailable
   * store.
   */
  timeout?: number
  /** This instance's estimate of the store's time. */
  clock?: StoreClock
}

export interface Backend {
  name: string
  /** Opens it again, as another instance would. */
  open(options?: OpenOptions): Promise<LiveStores>
}

const quiet = () => undefined

export const openTables = (
  url: string,
  { timeout = 30_000, clock = createStoreClock() }: OpenOptions = {},
): LiveStores => {
  const database = openDatabase({ url, poolSize: 10, timeout, onError: quiet })
  return {
    families: createFamilyTable(database, timeout, clock),
    records: createRecordTable(database),
    counters: createCounterTable(database),
    close: database.close,
  }
}

export const openRedis = async (
  url: string,
  { timeout = 30_000, clock }: OpenOptions = {},
): Promise<LiveStores> => {
  const connection = await connectRedis({ url, timeout, onError: quiet })
  const redis = { ...connection, ...(clock && { clock }) }
  return {
    families: createFamilyStore(redis),
    records: createRecordStore(redis),
    counters: createCounterStore(redis),
    close: connection.close,
  }
}

/** Where this setup keeps its live state. */
export const backendOf = async ({ databaseUrl, redisUrl }: StoreSetup): Promise<Backend> => {
  if (redisUrl !== null) return { name: 'Redis', open: (options) => openRedis(redisUrl, options) }
  await migrate(databaseUrl)
  return { name: 'Postgres tables', open: async (options) => openTables(databaseUrl, options) }
}
