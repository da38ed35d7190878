import { Cluster, type Redis } from 'ioredis'
import { slotOf } from './slot.ts'

/** Milliseconds for which nothing is written after replicas have failed, so that WAIT holds up nobody else for long. */
const caution = 1000

const nodeFor = (cluster: Cluster, key: string): Redis | undefined => {
  const [owner] = cluster.slots[slotOf(key)] ?? []
  const isOwner = ({ options }: Redis) => `${options.host}:${options.port}` === owner
  return cluster.nodes('all').find((node) => isOwner(node) && node.status !== 'end')
}

/**
 * The connection on which commands for this key go; of a cluster, to the node that has it.
 * @param isStale that it led elsewhere a moment ago
 */
const connectionFor = async (redis: Redis | Cluster, key: string, isStale = false) => {
  if (!(redis instanceof Cluster)) return redis
  const known = isStale ? undefined : nodeFor(redis, key)
  if (known) return known
  await redis.exists(key) // is led to where the key is now, and notes it
  const found = nodeFor(redis, key)
  if (!found) throw new Error('no node of the cluster has this key')
  return found
}

const hasMoved = (error: unknown) =>
  error instanceof Error && /^(MOVED|READONLY)/.test(error.message)

export interface ReplicaWaiter {
  /** Runs `work` on the connection of this key, and waits there until the replicas have what it has written. */
  write(
    key: string,
    work: (on: Redis) => Promise<unknown>,
    hasWritten: (reply: unknown) => boolean,
  ): Promise<unknown>
}

/**
 * @param replicas how many must have it
 * @param longest milliseconds
 */
export const createReplicaWaiter = (
  redis: Redis | Cluster,
  replicas: number,
  longest: number,
): ReplicaWaiter => {
  const failedAt = new WeakMap<Redis, number>()

  const run = async (
    on: Redis,
    work: (on: Redis) => Promise<unknown>,
    hasWritten: (reply: unknown) => boolean,
  ) => {
    if (performance.now() - (failedAt.get(on) ?? Number.NEGATIVE_INFINITY) < caution)
      throw new Error('the replicas did not answer a moment ago')
    const { stream } = on
    const reply = await work(on)
    if (!hasWritten(reply)) return reply
    const have = await on.wait(replicas, Math.ceil(longest))
    if (have < replicas) {
      failedAt.set(on, performance.now())
      throw new Error(`${have} of ${replicas} replicas have it`)
    }
    // WAIT speaks of what was written on its own connection: on a new one it has nothing to wait for.
    if (on.stream !== stream) throw new Error('the connection was lost meanwhile')
    return reply
  }

  return {
    write: async (key, work, hasWritten) => {
      try {
        return await run(await connectionFor(redis, key), work, hasWritten)
      } catch (error) {
        if (!hasMoved(error)) throw error
        return run(await connectionFor(redis, key, true), work, hasWritten)
      }
    },
  }
}
