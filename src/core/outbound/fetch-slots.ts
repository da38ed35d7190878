import { createCounts } from '../limits/counts.ts'
import { OutboundBusy } from './waits.ts'

interface Queued {
  lanes: readonly string[]
  proceed(): void
}

/**
 * Slots for work at other servers. Each piece of work is in one lane or more, first the lane of its owner, and a lane has
 * few slots. A free slot goes to the owner that has the fewest, so that one owner delays no other.
 */
export const createFetchSlots = (most: { all: number; each: number }) => {
  const occupied = createCounts(most)
  /** In order of arrival. */
  const queue = new Set<Queued>()

  const held = ({ lanes: [owner = ''] }: Queued) => occupied.of(owner)

  const next = (): Queued | undefined =>
    [...queue]
      .filter(({ lanes }) => occupied.hasRoom(lanes))
      .reduce<Queued | undefined>(
        (best, one) => (best && held(best) <= held(one) ? best : one),
        undefined,
      )

  const startQueued = () => {
    for (let queued = next(); queued; queued = next()) {
      queue.delete(queued)
      occupied.add(queued.lanes)
      queued.proceed()
    }
  }

  const take = (lanes: readonly string[], signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        queue.delete(queued)
        reject(new OutboundBusy())
      }
      const proceed = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const queued = { lanes, proceed }
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      queue.add(queued)
      startQueued()
    })

  /** Runs the work in a slot of these lanes. @throws OutboundBusy when the signal aborts before it has one */
  return async <Result>(
    lanes: readonly string[],
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    await take(lanes, signal)
    try {
      return await work()
    } finally {
      occupied.remove(lanes)
      startQueued()
    }
  }
}
