import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../core/language/ip-address.ts'
import { type ActiveRequest, createActiveRequests } from './active-requests.ts'
import { createAdaptiveLimit } from './adaptive-limit.ts'
import { createFairTurns } from './fair-turns.ts'
import { createWatchdog } from './watchdog.ts'

export interface AdmissionLimits {
  /** Requests that may be under way at once. */
  mostUnderWay: number
  /** Milliseconds of event loop delay above which, several times in a row, requests are refused. */
  longestDelay: number
  /** Milliseconds of refusals without any progress after which the server counts as stuck. */
  stuckAfter: number
}

interface Slot extends ActiveRequest {
  /** Milliseconds: when the request was complete. */
  began: number
  /** The client is still sending the request. */
  isArriving: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null when the request was admitted without a slot, or has released it. */
    slot: Slot | null
    /** Releases the slot of a request that from now on only waits. null when it has no slot. */
    releaseSlot: (() => void) | null
  }
}

const checkEvery = 100 // ms
/** One late check does not prove an overload: a garbage collection or another process may have caused it. */
const lateInTurn = 3

/** The share of the limit that a network may occupy even when other networks occupy the whole limit. */
const shareOfOthers = 0.25
/** The share that all these networks together may occupy beyond the limit. */
const beyondLimit = 0.5

/** Never refused: operators and their monitoring need these while the server is in trouble. */
const always = new Set(['/health/live', '/health/ready', '/metrics'])
const isAlwaysServed = ({ method, url }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && always.has((url ?? '').split('?', 1)[0] as string)
/** Not measured: password hashing is slow on purpose and has its own queue. */
const unhurried = new Set(['/login', '/account/password'])

/** Detects that the event loop was late several times in a row. @param now milliseconds, on a clock that never jumps */
export const createDelayDetector = (longestDelay: number, now: number) => {
  let late = 0
  let due = now + checkEvery
  return {
    /** Must be called every 100 ms, as punctually as the process can. */
    check: (now: number) => {
      late = now - due > longestDelay ? late + 1 : 0
      due = now + checkEvery
    },
    isLate: () => late >= lateInTurn,
  }
}

const watchLateness = (longestDelay: number) => {
  const lateness = createDelayDetector(longestDelay, performance.now())
  const timer = setInterval(() => lateness.check(performance.now()), checkEvery)
  timer.unref()
  return { isLate: lateness.isLate, end: () => clearInterval(timer) }
}

/**
 * Finds requests that could not be answered in time, before the server reads them or queries a store. An overloaded
 * server that accepts every request answers none.
 * @param refused called for each of them
 */
export const createAdmission = (
  { mostUnderWay, longestDelay, stuckAfter }: AdmissionLimits,
  refused: () => void,
) => {
  const { isLate, end } = watchLateness(longestDelay)
  const limit = createAdaptiveLimit(mostUnderWay)
  const active = createActiveRequests()
  const turns = createFairTurns()
  const watchdog = createWatchdog(stuckAfter)

  /** Requests that are still arriving do not count: slow clients would keep all others out. */
  const isFull = (size: number) => active.size() >= size && active.hasComplete(size)

  const mayEnter = (network: string) => {
    const size = limit.size()
    if (!isFull(size)) return !isLate()
    const has = active.countOf(network)
    // A network with few requests may exceed the limit. Otherwise the requests of another network would keep it out.
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
    // The time that a client takes to send its request is not a delay of the server.
    raw.once('end', () => {
      if (slot.isArriving) slot.began = performance.now()
    })
    return slot
  }

  const release = (slot: Slot) => {
    if (active.remove(slot)) watchdog.progressed()
  }

  const networks = new WeakMap<IncomingMessage, string>()

  /** Whether this request of a network is served. It must be asked before the request is routed. */
  const admits = (request: IncomingMessage, network: string) => {
    networks.set(request, network)
    if (isAlwaysServed(request)) return true
    const admitted = mayEnter(network)
    if (admitted) watchdog.progressed()
    else refused()
    return admitted
  }

  /** Lets each request of this server that is served occupy a slot. */
  const watch = (server: FastifyInstance) => {
    server.decorateRequest('slot', null)
    server.decorateRequest('releaseSlot', null)
    server.addHook('onClose', async () => end())
    server.addHook('onRequest', (request, reply, done) => {
      const network = networks.get(request.raw) ?? networkOf(request.ip)
      if (isAlwaysServed(request.raw)) return turns.begin(network, done)
      const slot = occupySlot(request, network)
      request.slot = slot
      request.releaseSlot = () => {
        request.slot = null
        release(slot)
      }
      // The client may disconnect before the answer. `serveInOrder` ensures that each response emits `close`.
      reply.raw.once('close', () => release(slot))
      return turns.begin(network, () => {
        // The wait for a turn is a delay of the server.
        slot.isArriving = !request.raw.complete
        if (!reply.raw.destroyed) done()
      })
    })

    // Releases the slot once the handler has answered: a slow reader must not occupy it.
    server.addHook('onSend', ({ slot, routeOptions }, reply, payload, done) => {
      if (slot) {
        // Errors are not measured: an unavailable store delays every answer, even when little is under way.
        const isMeasure =
          slot.request.complete && reply.statusCode < 500 && !unhurried.has(routeOptions.url ?? '')
        if (isMeasure) limit.answered(performance.now() - slot.began, active.size())
        release(slot)
      }
      done(null, payload)
    })
  }

  return {
    admits,
    watch,
    /** Number of requests that occupy a slot now. */
    underWay: active.size,
    /** True when only a restart helps: liveness fails then. */
    isStuck: () => watchdog.isStuck(performance.now()),
  }
}

export type Admission = ReturnType<typeof createAdmission>
