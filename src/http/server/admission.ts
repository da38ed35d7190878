import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../core/language/network.ts'
import { type ActiveRequest, createActiveRequests } from './active-requests.ts'
import { createAdaptiveLimit } from './adaptive-limit.ts'
import { createFairTurns } from './fair-turns.ts'
import { createWatchdog } from './watchdog.ts'

export interface AdmissionLimits {
  /** Requests that may be under way at once. */
  mostUnderWay: number
  /** Milliseconds by which the event loop may be late, several times in turn, before requests are refused. */
  longestDelay: number
  /** Milliseconds of refusals without any progress after which the server counts as stuck. */
  stuckAfter: number
}

export interface Admission {
  /** Requests that occupy a slot now. */
  underWay(): number
  /** True when only a restart helps: liveness fails then. */
  isStuck(): boolean
}

interface Slot extends ActiveRequest {
  /** Milliseconds: when the request was complete. */
  began: number
  /** The client has not sent all of it yet. */
  isArriving: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null: admitted without one, or it is free again. */
    slot: Slot | null
    /** Frees the slot of a request that only waits from now on; null: it has none. */
    releaseSlot: (() => void) | null
  }
}

const checkEvery = 100 // ms
/** One late check is no overload: it may be a garbage collection, or a machine that was busy with something else. */
const lateInTurn = 3

/** The share of the limit that a network may occupy although other networks have occupied all of it. */
const shareOfOthers = 0.25
/** The share that all such networks may occupy together, beyond the limit. */
const beyondLimit = 0.5

/** Operators and their machines need these while the server is in trouble. */
const always = new Set(['/health/live', '/health/ready', '/metrics'])
/** Passwords are slow on purpose, and have a queue of their own. */
const unhurried = new Set(['/login', '/account/password'])

/**
 * Whether the event loop was too late several times in turn.
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
 * Refuses requests that could not be answered in time (503, `Retry-After`) before it reads them or queries a store:
 * under more load than it can carry, a server that accepts everything answers none.
 * @param refused called for each refused request
 */
export const admitRequests = (
  server: FastifyInstance,
  { mostUnderWay, longestDelay, stuckAfter }: AdmissionLimits,
  refused: () => void,
): Admission => {
  const isLate = watchLateness(server, longestDelay)
  const limit = createAdaptiveLimit(mostUnderWay)
  const active = createActiveRequests()
  const turns = createFairTurns()
  const watchdog = createWatchdog(stuckAfter)

  /** Requests that are still being sent occupy no slot: slow clients would keep all others out. */
  const isFull = (size: number) => active.size() >= size && active.hasComplete(size)

  const mayEnter = (network: string) => {
    const size = limit.size()
    if (!isFull(size)) return !isLate()
    const has = active.countOf(network)
    // A network that occupies few: the requests of another one would keep it out.
    const isOther =
      has < Math.max(1, size * shareOfOthers) &&
      has < active.size() &&
      active.size() < size * (1 + beyondLimit)
    if (!isOther) watchdog.refused(performance.now())
    return isOther && !isLate()
  }

  const occupySlot = ({ raw }: FastifyRequest, network: string): Slot => {
    const slot: Slot = Object.assign(active.add(raw, network), {
      began: performance.now(),
      isArriving: true,
    })
    // The time that a client takes to send is no delay of the server.
    raw.once('end', () => {
      if (slot.isArriving) slot.began = performance.now()
    })
    return slot
  }

  const release = (slot: Slot) => {
    if (active.remove(slot)) watchdog.progressed()
  }

  server.decorateRequest('slot', null)
  server.decorateRequest('releaseSlot', null)
  server.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url
    const network = networkOf(request.ip)
    if (route !== undefined && always.has(route)) return turns.begin(network, done)
    if (!mayEnter(network)) {
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
    watchdog.progressed()
    const slot = occupySlot(request, network)
    request.slot = slot
    request.releaseSlot = () => {
      request.slot = null
      release(slot)
    }
    // A client that disconnects before the answer. `serveInOrder` sees to it that each response emits this.
    reply.raw.once('close', () => release(slot))
    return turns.begin(network, () => {
      // The wait for a turn is a delay of the server.
      slot.isArriving = !request.raw.complete
      if (!reply.raw.destroyed) done()
    })
  })

  // The slot is free as soon as the handler has answered: the client may read as slowly as it likes.
  server.addHook('onSend', ({ slot, routeOptions }, reply, payload, done) => {
    if (slot) {
      // An unavailable store makes everything late, however little is under way.
      const isMeasure =
        slot.request.complete && reply.statusCode < 500 && !unhurried.has(routeOptions.url ?? '')
      if (isMeasure) limit.answered(performance.now() - slot.began, active.size())
      release(slot)
    }
    done(null, payload)
  })

  return { underWay: active.size, isStuck: () => watchdog.isStuck(performance.now()) }
}
