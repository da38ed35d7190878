import type { Cluster, Redis } from 'ioredis'
import { primaryNodes } from './driver.ts'

/**
 * Settings that can lose tokens or let one be consumed twice: Redis evicts keys, loses them on restart, or loses the
 * last writes in a crash.
 */
export type RedisWarning = 'evicts' | 'not_durable' | 'not_synced'

/** The persistence settings of a Redis; null: not reported. */
interface Settings {
  policy: string | null
  appendOnly: boolean | null
  /** The setting that decides when Redis flushes the append-only file to disk. */
  sync: string | null
}

/** The lines of an INFO section, `name:value`. */
const readInfo = (text: string): Map<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )

/** Managed servers forbid CONFIG, and INFO does not report this setting. */
const readSync = async (redis: Redis): Promise<string | null> => {
  const reply = await redis.config('GET', 'appendfsync').catch(() => null)
  return Array.isArray(reply) ? String(reply[1]) : null
}

// Managed servers mostly forbid CONFIG. INFO reports these two settings and is allowed everywhere.
const readSettings = async (redis: Redis): Promise<Settings> => {
  const memory = readInfo(await redis.info('memory'))
  const persistence = readInfo(await redis.info('persistence'))
  const appendOnly = persistence.get('aof_enabled')
  return {
    policy: memory.get('maxmemory_policy') ?? null,
    appendOnly: appendOnly === undefined ? null : appendOnly === '1',
    sync: await readSync(redis),
  }
}

const warningsOf = async (redis: Redis): Promise<RedisWarning[]> => {
  const { policy, appendOnly, sync } = await readSettings(redis)
  return [
    ...(policy !== null && policy !== 'noeviction' ? (['evicts'] as const) : []),
    ...(appendOnly === false ? (['not_durable'] as const) : []),
    ...(appendOnly && sync !== null && sync !== 'always' ? (['not_synced'] as const) : []),
  ]
}

/** Reads eviction policy and append-only file. An unreported setting causes no warning. */
export const redisWarnings = async (redis: Redis | Cluster): Promise<RedisWarning[]> => {
  const found = await Promise.all(primaryNodes(redis).map(warningsOf))
  return [...new Set(found.flat())]
}
