import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** From here on this request only waits, and counts no longer as under way; null: it does not count. */
    leaveRoom: (() => void) | null
  }
}

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
/** Passwords are slow on purpose, and have a line of their own. */
const unhurried = new Set(['/login', '/account/password'])

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

/** So many are taken on however long they take: one client's flood over some tens of connections turns nobody away. */
const fewest = 64
/** Milliseconds: what takes longer than this, and several times as long as the quickest, had to wait for others. */
const longestAnswer = 250
/** Milliseconds after which it is no question any more that far too much was taken on. */
const muchTooLong = 1000
const timesTheQuickest = 3
const recently = 5000 // ms
/** Milliseconds between two steps down: what was taken on before the last one is late, too, and says nothing new. */
const stepEvery = 100
/** Milliseconds without a late answer after which half as many more are taken on. */
const growEvery = 1000

/**
 * How many may be under way for each to be answered in time: what waits is what is answered late. Answers that come too
 * late lower the number in steps, those that come in time raise it by and by, as TCP finds out what a network carries.
 */
const createRoom = (most: number) => {
  const least = Math.min(fewest, most)
  let room = most
  let steppedAt = 0
  let [quickest, quickestNow, since] = [0, Number.POSITIVE_INFINITY, 0]

  const noteQuickest = (milliseconds: number, now: number) => {
    quickestNow = Math.min(quickestNow, milliseconds)
    if (now - since < recently) return
    quickest = quickestNow
    ;[quickestNow, since] = [Number.POSITIVE_INFINITY, now]
  }

  const grow = () => {
    const now = performance.now()
    if (room === most || now - steppedAt < growEvery) return
    steppedAt = now
    room = Math.min(most, room * 1.5)
  }

  return {
    size: () => {
      grow()
      return room
    },
    /** @param underWay how many there were at the time */
    answered: (milliseconds: number, underWay: number) => {
      const now = performance.now()
      noteQuickest(milliseconds, now)
      if (milliseconds <= Math.max(longestAnswer, quickest * timesTheQuickest)) {
        if (underWay > room / 2) room = Math.min(most, room + 1 / room)
      } else if (now - steppedAt > stepEvery) {
        steppedAt = now
        const share = milliseconds > muchTooLong ? 0.5 : 0.9
        room = Math.max(least, Math.min(room, underWay) * share)
      }
    },
  }
}

interface Entry {
  request: IncomingMessage
  /** Where in the roll it stands now. */
  at: number
}

/**
 * Who is here, without order. A Set would keep them in tables of which each new one is known to the one before: all
 * that was ever in those after it stays, until the whole heap is collected (decision 0042).
 */
const createRoll = () => {
  const entries: Entry[] = []
  return {
    size: () => entries.length,
    add: (request: IncomingMessage): Entry => {
      const entry = { request, at: entries.length }
      entries.push(entry)
      return entry
    },
    remove: (entry: Entry) => {
      const last = entries.pop() as Entry
      if (last === entry) return
      entries[entry.at] = last
      last.at = entry.at
    },
    /** Whether so many of them were received in full. */
    hasComplete: (count: number) => {
      let seen = 0
      return entries.some(({ request }) => request.complete && ++seen >= count)
    },
  }
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
  const room = createRoom(mostUnderWay)
  const underWay = createRoll()
  server.decorateRequest('leaveRoom', null)

  /** Who is still sending takes nobody's place: slow clients would keep all others out. */
  const isFull = (size: number) => underWay.size() >= size && underWay.hasComplete(size)

  server.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && always.has(route)) return done()
    if (isFull(room.size()) || isLate()) {
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
    const { raw } = request
    let began = performance.now()
    const entry = underWay.add(raw)
    let isHere = true
    const leave = () => {
      if (isHere) underWay.remove(entry)
      isHere = false
    }
    request.leaveRoom = leave
    // What a client takes for sending is no delay of ours. A request that is answered unread ends after its answer.
    raw.once('end', () => {
      if (!reply.raw.headersSent) began = performance.now()
    })
    // The end of the answer, or of the connection when nobody waits for it any more: whichever it is, once.
    reply.raw.once('close', () => {
      // A store that is away makes everything late, however little is under way.
      const isMeasure =
        isHere && raw.complete && reply.statusCode < 500 && !unhurried.has(route ?? '')
      if (isMeasure) room.answered(performance.now() - began, underWay.size())
      leave()
    })
    return done()
  })
}
