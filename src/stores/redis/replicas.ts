import { Cluster, type Redis } from 'ioredis'
import { slotOf } from './slot.ts'

/** Milliseconds without writes after replicas have failed, so that WAIT does not delay other commands for long. */
const caution = 1000

const nodeFor = (cluster: Cluster, key: string): Redis | undefined => {
  const [owner] = cluster.slots[slotOf(key)] ?? []
  const isOwner = ({ options }: Redis) => `${options.host}:${options.port}` === owner
  return cluster.nodes('all').find((node) => isOwner(node) && node.status !== 'end')
}

/**
 * The connection for commands on this key; in a cluster, to the node that has it.
 * @param isStale the known node was wrong
 */
const connectionFor = async (redis: Redis | Cluster, key: string, isStale = false) => {
  if (!(redis instanceof Cluster)) return redis
  const known = isStale ? undefined : nodeFor(redis, key)
  if (known) return known
  await redis.exists(key) // ioredis follows the redirection to the key's node and remembers it
  const found = nodeFor(redis, key)
  if (!found) throw new Error('no node of the cluster has this key')
  return found
}

const hasMoved = (error: unknown) =>
  error instanceof Error && /^(MOVED|READONLY)/.test(error.message)

type Work = (on: Redis) => Promise<unknown>
type HasWritten = (reply: unknown) => boolean

/** @param replicas that must confirm @param longest milliseconds */
export const createReplicaWaiter = (redis: Redis | Cluster, replicas: number, longest: number) => {
  const failedAt = new WeakMap<Redis, number>()

  const run = async (on: Redis, work: Work, hasWritten: HasWritten) => {
    if (performance.now() - (failedAt.get(on) ?? Number.NEGATIVE_INFINITY) < caution)
      throw new Error('the replicas did not confirm the last write')
    const { stream } = on
    const reply = await work(on)
    if (!hasWritten(reply)) return reply
    const have = await on.wait(replicas, Math.ceil(longest))
    if (have < replicas) {
      failedAt.set(on, performance.now())
      throw new Error(`${have} of ${replicas} replicas confirmed the write`)
    }
    // WAIT covers the writes of its own connection; on a new one it would confirm nothing.
    if (on.stream !== stream) throw new Error('the connection was lost during the write')
    return reply
  }

  return {
    /** Runs `work` on the connection of this key, and waits until the replicas confirm its writes. */
    write: async (key: string, work: Work, hasWritten: HasWritten) => {
      try {
        return await run(await connectionFor(redis, key), work, hasWritten)
      } catch (error) {
        if (!hasMoved(error)) throw error
        return run(await connectionFor(redis, key, true), work, hasWritten)
      }
    },
  }
}
