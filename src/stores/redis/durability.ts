import type { Cluster, Redis } from 'ioredis'
import { primariesOf } from './driver.ts'

/**
 * What would cost people their tokens, or spend one twice: keys are evicted, a restart forgets, or a crash forgets
 * what was written last.
 */
export type RedisWarning = 'evicts' | 'not_durable' | 'not_synced'

/** What a Redis is told to do with what it keeps; null: it does not say. */
interface Settings {
  policy: string | null
  appendOnly: boolean | null
  /** When the append-only file is written to the disk. */
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

/** Managed servers forbid CONFIG, and say nowhere else how they write. */
const readSync = async (redis: Redis): Promise<string | null> => {
  const reply = await redis.config('GET', 'appendfsync').catch(() => null)
  return Array.isArray(reply) ? String(reply[1]) : null
}

// CONFIG is forbidden on most managed servers; INFO says the same of these two, and is allowed everywhere.
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

/** Asks for the eviction policy and the append-only file. What a server does not say is no reason for a warning. */
export const redisWarnings = async (redis: Redis | Cluster): Promise<RedisWarning[]> => {
  const found = await Promise.all(primariesOf(redis).map(warningsOf))
  return [...new Set(found.flat())]
}
