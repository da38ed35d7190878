import { AsyncResource } from 'node:async_hooks'

interface TurnSize {
  /** Requests of one network that begin in one turn of the event loop. */
  usual: number
  /**
   * The same while new connections arrive. libuv accepts one connection in a turn: with long turns, some hundreds of
   * new connections at once would wait for seconds before the server reads what they have sent.
   */
  whileAccepting: number
}

/** A connection that arrives shortens this many turns: its requests may be read before it in a turn. */
const shortTurns = 2

/**
 * Starts requests so that no network delays the others. Each network may begin a few requests in one turn of the event
 * loop; the rest wait for the next turn. So a turn stays short, however many connections one client has. Throughput
 * stays the same because turns are cheap. The number of requests that may wait for a store at the same time also stays
 * the same.
 */
export const createFairTurns = ({ usual, whileAccepting }: TurnSize) => {
  const begun = new Map<string, number>()
  const queues = new Map<string, (() => void)[]>()
  let isScheduled = false
  let short = 0

  const allowed = () => (short > 0 ? whileAccepting : usual)

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(nextTurn)
  }

  const nextTurn = () => {
    isScheduled = false
    begun.clear()
    const size = allowed()
    for (const [network, queue] of queues) {
      const starting = queue.splice(0, size)
      if (queue.length === 0) queues.delete(network)
      begun.set(network, starting.length)
      for (const start of starting) start()
    }
    if (short > 0) short--
    if (begun.size > 0 || short > 0) schedule()
  }

  return {
    /** To be called for each new connection. */
    connected: () => {
      short = shortTurns
      schedule()
    },
    /** Calls `start` at once or, when the network has begun enough requests in this turn, in a later turn in order. */
    begin: (network: string, start: () => void) => {
      const queue = queues.get(network)
      const count = begun.get(network) ?? 0
      if (queue) queue.push(AsyncResource.bind(start))
      else if (count >= allowed()) queues.set(network, [AsyncResource.bind(start)])
      else {
        begun.set(network, count + 1)
        schedule()
        start()
      }
    },
  }
}
