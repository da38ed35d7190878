import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { randomText } from '../core/crypto/random.ts'
import { StoreUnavailable } from '../core/language/errors.ts'
import { localSecrets } from '../stores/embedded/secrets.ts'
import { readClock } from '../stores/postgres/connection/clock.ts'
import { openDatabase } from '../stores/postgres/connection/database.ts'
import { migrate } from '../stores/postgres/connection/migrate.ts'
import {
  createCounterStore as createCounterTable,
  createRecordStore as createRecordTable,
} from '../stores/postgres/connection/records.ts'
import { estimateFamilies, estimateRows } from '../stores/postgres/connection/row-estimates.ts'
import { checkSettings } from '../stores/postgres/connection/settings.ts'
import { createCleanUp } from '../stores/postgres/grants/expired.ts'
import { createFamilyStore as createFamilyTable } from '../stores/postgres/grants/families.ts'
import { postgresStores } from '../stores/postgres/stores.ts'
import { connectRedis } from '../stores/redis/connection.ts'
import type { RedisWarning } from '../stores/redis/durability.ts'
import { createFamilyStore } from '../stores/redis/families.ts'
import { createCounterStore, createRecordStore } from '../stores/redis/records.ts'
import { createStoreClock } from '../stores/store-clock.ts'

/**
 * Opens the configured Postgres, or starts or joins the packaged one.
 * @param name what this process is to the others that use the packaged one
 */
export const openPostgres = async (
  config: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  name: string,
  logger?: FastifyBaseLogger,
) => {
  if (config.databaseUrl !== null)
    return { url: config.databaseUrl, others: async () => [], stop: async () => undefined }
  const { startEmbeddedPostgres } = await import('../stores/embedded/launcher.ts')
  const log = (line: string) => logger?.debug({ line }, 'embedded postgres')
  const embedded = await startEmbeddedPostgres({ directory: config.dataDirectory, name, log })
  const { others, stop } = embedded
  const { host, port, user, database } = embedded.connection
  const socket = new URLSearchParams({ host, port: String(port) })
  return { url: `postgres://${user}@/${database}?${socket}`, others, stop }
}

/** The name of a server to the other processes that use the packaged Postgres. */
export const serverName = ({ host, port }: Pick<Config, 'host' | 'port'>) =>
  `server ${host}:${port}`

/** Receives the measurements of the stores. */
export interface StoreObserver {
  /**
   * One statement or script, timed from its caller's point of view.
   * @param statement its name, or its text when it has none; never a value
   * @param began performance.now()
   * @param failed true when the store was unavailable or too slow, not when it returned an error
   */
  roundTrip(store: 'postgres' | 'redis', statement: string, began: number, failed: boolean): void
  /**
   * A read that shared its query with others, timed from its caller's point of view. The query itself is a separate
   * round trip.
   */
  shared?: (statement: string, began: number, failed: boolean) => void
  rowsRemoved(table: string, count: number): void
  /** A request has ended something. */
  stopped?: (requestId: string, stop: string) => void
}

const silentObserver: StoreObserver = { roundTrip: () => undefined, rowsRemoved: () => undefined }

/** What is wrong, a colon, and what to set. */
export const redisAdvice: Record<RedisWarning, string> = {
  evicts:
    'redis may evict data, and users would lose their tokens: set maxmemory-policy noeviction',
  not_durable: 'redis loses all data when it restarts: set appendonly yes',
  not_synced:
    'redis loses the last second in a crash, and a token consumed then becomes valid again: set appendfsync always',
}

const openRedis = async (config: Config, logger: FastifyBaseLogger, observer: StoreObserver) => {
  if (config.redisUrl === null) return null
  let warnings: RedisWarning[] = []
  const connection = await connectRedis({
    url: config.redisUrl,
    timeout: config.storeTimeout,
    replicas: config.redisReplicas,
    onError: (err) => logger.warn({ err: { message: err.message } }, 'redis'),
    onRoundTrip: (command, began, failed) => observer.roundTrip('redis', command, began, failed),
    onWarnings: (found) => {
      for (const one of found) {
        if (!warnings.includes(one)) logger.warn({ warning: `redis_${one}` }, redisAdvice[one])
      }
      warnings = found
    },
  })
  return { ...connection, warnings: () => warnings.map((one) => `redis_${one}`) }
}

export const migrateStores = async (url: string, timeout: number, logger: FastifyBaseLogger) => {
  const applied = await migrate(url, timeout)
  if (applied.length > 0) logger.info({ applied }, 'migrations applied')
}

/**
 * Opens Postgres (configured or embedded), migrates its schema, and opens Redis when configured.
 * @param migrates false when another process migrates the schema
 * @param clock regularly set to the time of Postgres
 */
export const openStores = async (
  config: Config,
  logger: FastifyBaseLogger,
  observer: StoreObserver = silentObserver,
  migrates = true,
  clock = createStoreClock(),
) => {
  // With embedded stores, secrets that are not configured are created once and stored beside the data.
  const secrets = config.databaseUrl === null ? await localSecrets(config.dataDirectory) : null
  const postgres = await openPostgres(config, serverName(config), logger)
  if (migrates)
    await migrateStores(postgres.url, config.migrationTimeout, logger).catch(async (error) => {
      await postgres.stop()
      throw error
    })

  const database = openDatabase({
    url: postgres.url,
    poolSize: config.databasePoolSize,
    pooler: config.databasePooler,
    timeout: config.storeTimeout,
    onError: (err) => logger.warn({ err: { message: err.message } }, 'postgres'),
    onRoundTrip: (statement, began, failed) =>
      observer.roundTrip('postgres', statement, began, failed),
    onShared: observer.shared,
    onStop: observer.stopped,
  })
  await checkSettings(database).catch(async (error) => {
    // The server starts without its stores, and is not ready.
    if (error instanceof StoreUnavailable) return
    await database.close()
    await postgres.stop()
    throw error
  })
  const readTime = () => readClock(database, clock)
  // On failure, the date of this machine is used until the next attempt.
  await readTime().catch((err) =>
    logger.warn({ err: { message: err.message } }, 'store time not read'),
  )
  const redis = await openRedis(config, logger, observer)
  const table = createRecordTable(database)
  const instance = randomText(9)
  const families = redis
    ? createFamilyStore(redis)
    : createFamilyTable(database, config.storeTimeout, clock)

  return {
    masterKeys: config.masterKeys.length > 0 || !secrets ? config.masterKeys : [secrets.masterKey],
    operatorToken: config.operatorToken ?? secrets?.operatorToken ?? null,
    database,
    ...postgresStores(database),
    counters: redis ? createCounterStore(redis) : createCounterTable(database),
    families,
    records: redis ? createRecordStore(redis) : table,
    /** Milliseconds since 1970 by the clock of Postgres, the same on all instances. */
    now: clock.now,
    readTime,
    /** Milliseconds since 1970 by the clock of each store. */
    clocks: { Postgres: clock.now, ...(redis && { Redis: redis.clock.now }) },
    removeExpired: createCleanUp(database, families, config.retention, observer.rowsRemoved),
    estimateRows: () => estimateRows(database),
    estimateFamilies: () => estimateFamilies(database),
    redisKeys: redis?.size ?? null,
    /** Each rejects when its store does not respond or takes no writes. */
    checks: {
      postgres: () => table.put('ready', instance, { state: '', value: '' }, 60),
      ...(redis && { redis: redis.ping }),
    },
    /** Configuration problems of the stores that do not stop them from working. */
    warnings: redis?.warnings ?? (() => []),
    close: async () => {
      await redis?.close()
      await database.close()
      await postgres.stop()
    },
  }
}

export type Stores = Awaited<ReturnType<typeof openStores>>
