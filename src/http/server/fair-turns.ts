import { AsyncResource } from 'node:async_hooks'

/** Runs `start` later, in the context of its own request. `AsyncResource.bind` costs several times as much. */
const later = (start: () => void) => {
  const resource = new AsyncResource('latchkey.turn')
  return () => resource.runInAsyncScope(start)
}

/** Requests of one network that begin in one turn of the event loop. */
const usualInTurn = 16

/**
 * Starts requests so that no network delays the others. Each network may begin a few requests in one turn of the event
 * loop; the rest wait for the next turn. So a turn stays short, however many connections one client has. Throughput
 * stays the same because turns are cheap. The number of requests that may wait for a store at the same time also stays
 * the same.
 */
export const createFairTurns = (mostInTurn = usualInTurn) => {
  const begun = new Map<string, number>()
  const queues = new Map<string, (() => void)[]>()
  let isScheduled = false

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(nextTurn)
  }

  const nextTurn = () => {
    isScheduled = false
    begun.clear()
    for (const [network, queue] of queues) {
      const starting = queue.splice(0, mostInTurn)
      if (queue.length === 0) queues.delete(network)
      begun.set(network, starting.length)
      for (const start of starting) start()
    }
    if (begun.size > 0) schedule()
  }

  return {
    /** Calls `start` at once or, when the network has begun enough requests in this turn, in a later turn in order. */
    begin: (network: string, start: () => void) => {
      const queue = queues.get(network)
      const count = begun.get(network) ?? 0
      if (queue) queue.push(later(start))
      else if (count >= mostInTurn) queues.set(network, [later(start)])
      else {
        begun.set(network, count + 1)
        schedule()
        start()
      }
    },
  }
}
