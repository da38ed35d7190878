import type { Cluster, Redis } from 'ioredis'
import { primaryNodes } from './driver.ts'

/**
 * Settings that can lose tokens or let one be consumed twice: Redis evicts keys, loses them on restart, or loses the
 * last writes in a crash.
 */
export type RedisWarning = 'evicts' | 'not_durable' | 'not_synced'

/** The lines of an INFO section, `name:value`. */
const readInfo = (text: string): Map<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )

/** When Redis flushes the append-only file to disk. Managed servers forbid CONFIG, and INFO does not report this. */
const readSync = async (redis: Redis): Promise<string | null> => {
  const reply = await redis.config('GET', 'appendfsync').catch(() => null)
  return Array.isArray(reply) ? String(reply[1]) : null
}

// Managed servers mostly forbid CONFIG. INFO reports these two settings and is allowed everywhere.
const warningsOf = async (redis: Redis): Promise<RedisWarning[]> => {
  const policy = readInfo(await redis.info('memory')).get('maxmemory_policy') ?? 'noeviction'
  const appends = readInfo(await redis.info('persistence')).get('aof_enabled')
  const sync = (await readSync(redis)) ?? 'always'
  return [
    ...(policy !== 'noeviction' ? (['evicts'] as const) : []),
    ...(appends !== undefined && appends !== '1' ? (['not_durable'] as const) : []),
    ...(appends === '1' && sync !== 'always' ? (['not_synced'] as const) : []),
  ]
}

/** Reads eviction policy and append-only file. An unreported setting causes no warning. */
export const redisWarnings = async (redis: Redis | Cluster): Promise<RedisWarning[]> => {
  const found = await Promise.all(primaryNodes(redis).map(warningsOf))
  return [...new Set(found.flat())]
}
