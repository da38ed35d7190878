import { StoreUnavailable } from '../language/errors.ts'
import { type Day, dayOf } from '../language/period.ts'

/** What is counted: tokens issued by grant type, requests refused by sub-reason. */
export interface UsageKey {
  organizationId: string
  clientId: string
  day: Day
  outcome: 'issued' | 'refused'
  reason: string
}

export interface UsageCount extends UsageKey {
  count: number
}

export interface UsageStore {
  /** Adds to what is there, in one statement; what belongs to no organization any more is left out. */
  add(counts: readonly UsageCount[]): Promise<void>
}

/** Counts on the request path, where no store is asked; Postgres is told in batches. */
export interface Usage {
  issued(organizationId: string, clientId: string, grantType: string): void
  /** @param reason sub-reason of the refusal, from our own vocabulary */
  refused(organizationId: string, clientId: string, reason: string): void
  /** Writes what is still in memory. */
  close(): Promise<void>
}

const mostCollected = 10_000
const millisecondsOfDay = 24 * 3600 * 1000

/** By client and organization: a key made of all that is told apart would cost more than the count. */
const createTally = () => {
  let counts = new Map<string, Map<string, UsageCount[]>>()
  let size = 0
  let lost = 0

  const put = (part: UsageCount) => {
    const { clientId, organizationId } = part
    const ofClient = counts.get(clientId) ?? new Map<string, UsageCount[]>()
    counts.set(clientId, ofClient)
    const others = ofClient.get(organizationId)
    if (others) others.push(part)
    else ofClient.set(organizationId, [part])
    size++
  }

  return {
    add: (part: UsageCount) => {
      const { organizationId, clientId, day, outcome, reason } = part
      const known = counts
        .get(clientId)
        ?.get(organizationId)
        ?.find((one) => one.reason === reason && one.outcome === outcome && one.day === day)
      if (known) known.count += part.count
      else if (size < mostCollected) put({ ...part })
      else lost += part.count
    },
    take: (): UsageCount[] => {
      const taken = [...counts.values()].flatMap((ofClient) => [...ofClient.values()].flat())
      counts = new Map()
      size = 0
      return taken
    },
    lose: (part: UsageCount) => {
      lost += part.count
    },
    /** How many were lost, since this was asked last. */
    takeLost: () => {
      const taken = lost
      lost = 0
      return taken
    },
  }
}

/**
 * @param deps.onLost called with the number of requests that could not be counted
 */
export const createUsage = (deps: {
  store: UsageStore
  /** Milliseconds since 1970. */
  now: () => number
  onLost(count: number, cause: unknown): void
  /** Milliseconds. */
  flushEvery?: number
}): Usage => {
  const { store, now, onLost, flushEvery = 10_000 } = deps
  const tally = createTally()
  let writing: Promise<void> = Promise.resolve()
  let today = { number: -1, day: '' }

  const day = () => {
    const number = Math.floor(now() / millisecondsOfDay)
    if (number !== today.number) today = { number, day: dayOf(now()) }
    return today.day
  }

  const count = (
    outcome: UsageKey['outcome'],
    organizationId: string,
    clientId: string,
    reason: string,
  ) => tally.add({ organizationId, clientId, day: day(), outcome, reason, count: 1 })

  const write = async () => {
    const batch = tally.take()
    let cause: unknown = 'full'
    if (batch.length > 0) {
      await store.add(batch).catch((error) => {
        cause = error
        // Postgres may be back at the next turn; what it does not take now it never will.
        const keep = error instanceof StoreUnavailable ? tally.add : tally.lose
        for (const part of batch) keep(part)
      })
    }
    const lost = tally.takeLost()
    if (lost > 0) onLost(lost, cause)
  }

  /** One batch at a time. */
  const flush = () => {
    writing = writing.then(write)
    return writing
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()

  return {
    issued: (organizationId, clientId, grantType) =>
      count('issued', organizationId, clientId, grantType),
    refused: (organizationId, clientId, reason) =>
      count('refused', organizationId, clientId, reason),
    close: async () => {
      clearInterval(timer)
      await flush()
      const left = tally.take().reduce((sum, part) => sum + part.count, 0)
      if (left > 0) onLost(left, 'closed')
    },
  }
}
