import type { FastifyInstance } from 'fastify'

export interface AdmissionLimits {
  /** Requests that may be under way at once. */
  mostUnderWay: number
  /** Milliseconds by which everything may be late, again and again, before nothing more is taken on. */
  longestDelay: number
}

const checkEvery = 100 // ms
/** One late moment is no overload: a garbage collection, or a machine that was busy with something else. */
const lateInTurn = 3

/** What is asked of a server in trouble, by whoever looks after it. */
const always = new Set(['/health/live', '/health/ready', '/metrics'])
/** Readers of the revocation feed wait there for half a minute, which costs nothing. */
const waiting = '/api/oauth/revocations'

/**
 * Whether the process has been too late for what it was to do, several times in turn.
 * @param now milliseconds, on a clock that never jumps
 */
export const createLateness = (longestDelay: number, now: number) => {
  let late = 0
  let due = now + checkEvery
  return {
    /** To be called every 100 ms, as punctually as the process can. */
    check: (now: number) => {
      late = now - due > longestDelay ? late + 1 : 0
      due = now + checkEvery
    },
    isLate: () => late >= lateInTurn,
  }
}

const watchLateness = (server: FastifyInstance, longestDelay: number) => {
  const lateness = createLateness(longestDelay, performance.now())
  const timer = setInterval(() => lateness.check(performance.now()), checkEvery)
  timer.unref()
  server.addHook('onClose', async () => clearInterval(timer))
  return lateness.isLate
}

/**
 * Refuses at the door what could not be answered in time (503, `Retry-After`), before anything is read or asked of a
 * store: under more load than it can carry, a server that takes everything answers nobody.
 * @param refused hears of each
 */
export const admitRequests = (
  server: FastifyInstance,
  { mostUnderWay, longestDelay }: AdmissionLimits,
  refused: () => void,
) => {
  const isLate = watchLateness(server, longestDelay)
  let underWay = 0
  server.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && always.has(route)) return done()
    if (underWay >= mostUnderWay || isLate()) {
      refused()
      return void reply
        .code(503)
        .header('retry-after', '1')
        .header('cache-control', 'no-store')
        .send({
          error: 'temporarily_unavailable',
          error_description: 'the server is too busy; try again',
        })
    }
    if (route !== waiting) {
      underWay++
      // The end of the answer, or of the connection when nobody waits for it any more: whichever it is, once.
      reply.raw.once('close', () => underWay--)
    }
    return done()
  })
}
