import { randomUUID } from 'node:crypto'
import { randomText } from '#dist/core/crypto/random.js'
import { connectRedis } from '#dist/stores/redis/connection.js'
import { createFamilyStore } from '#dist/stores/redis/families.js'
import type { BenchStores } from './stores.ts'

/** The memory of a family in Redis: its hash, its key and its entry in the key table. */
export interface FamilyMemory {
  /** Refreshes since the family was created. */
  rotations: number
  bytes: number
}

const families = 2000
const atOnce = 500
const measuredAfter = [0, 1, 10, 100, 200]
const lifetime = 30 * 86_400

/** Creates additional families and refreshes each, up to as often as an app does in eight days. */
export const measureFamilyMemory = async (stores: BenchStores): Promise<FamilyMemory[]> => {
  const redis = await connectRedis({
    url: stores.redisUrl,
    timeout: 10_000,
    onError: () => undefined,
  })
  const store = createFamilyStore(redis)
  const ids = Array.from({ length: families }, () => randomUUID())
  const each = async (work: (id: string) => Promise<unknown>) => {
    for (let from = 0; from < ids.length; from += atOnce)
      await Promise.all(ids.slice(from, from + atOnce).map(work))
  }
  const before = await stores.redisMemory()
  await each((id) => store.create(id, 1, lifetime))
  const found: FamilyMemory[] = []
  let done = 0
  for (const rotations of measuredAfter) {
    for (; done < rotations; done++)
      await each((id) => store.advance(id, done + 1, randomText(9), 0))
    found.push({ rotations, bytes: ((await stores.redisMemory()) - before) / families })
  }
  await redis.close()
  return found
}
