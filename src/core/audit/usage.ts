import { type Day, dayOf } from '../language/period.ts'
import { createWriteBehind } from './write-behind.ts'

/** A counter: issued tokens by grant type, or refused requests by sub-reason. */
export interface UsageCount {
  organizationId: string
  clientId: string
  day: Day
  outcome: 'issued' | 'refused'
  reason: string
  count: number
}

type CountedRequest = Pick<UsageCount, 'organizationId' | 'clientId' | 'reason'>

export interface UsageStore {
  /** Adds to the stored counts in one statement. Skips counts of deleted organizations. */
  add(counts: readonly UsageCount[]): Promise<void>
}

const mostCollected = 10_000
const millisecondsOfDay = 24 * 3600 * 1000

const sumOf = (batch: readonly UsageCount[]) => batch.reduce((sum, part) => sum + part.count, 0)

/** By client, then organization: building one combined key would cost more time than counting. */
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
    /** Number of counts lost since the last call. */
    takeLost: () => {
      const taken = lost
      lost = 0
      return taken
    },
  }
}

/**
 * Counts requests in memory and writes the counts to Postgres in batches.
 * @param deps.onLost called with the number of requests that were not counted
 */
export const createUsage = (deps: {
  store: UsageStore
  /** Milliseconds since 1970. */
  now: () => number
  onLost(count: number, cause: unknown): void
  /** Milliseconds. */
  flushEvery?: number
}) => {
  const { store, now, onLost, flushEvery = 10_000 } = deps
  const tally = createTally()
  let today = { number: -1, day: '' }

  const day = () => {
    const number = Math.floor(now() / millisecondsOfDay)
    if (number !== today.number) today = { number, day: dayOf(now()) }
    return today.day
  }

  const count = (
    outcome: UsageCount['outcome'],
    { organizationId, clientId, reason }: CountedRequest,
  ) => tally.add({ organizationId, clientId, day: day(), outcome, reason, count: 1 })

  const reportLost = (cause: unknown) => {
    const lost = tally.takeLost()
    if (lost > 0) onLost(lost, cause)
  }

  const writeBehind = createWriteBehind<UsageCount[]>({
    flushEvery,
    take: () => {
      reportLost('full')
      const batch = tally.take()
      return batch.length === 0 ? [] : [batch]
    },
    write: (batch) => store.add(batch),
    keep: (batches, cause) => {
      for (const part of batches.flat()) tally.add(part)
      reportLost(cause)
    },
    drop: (batch, cause) => onLost(sumOf(batch), cause),
  })

  return {
    /** `reason`: the type of the grant. */
    issued: (request: CountedRequest) => count('issued', request),
    /** `reason`: the stable sub-reason of the refusal. */
    refused: (request: CountedRequest) => count('refused', request),
    /** Writes the counts in memory. */
    close: writeBehind.close,
  }
}

export type Usage = ReturnType<typeof createUsage>
