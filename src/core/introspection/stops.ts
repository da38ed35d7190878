// What a change has ended, and which data APIs have read it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditEvent, auditEvent, byServer } from '../audit/audit.ts'
import { found } from '../language/service-errors.ts'

/** What a data API knows of a stop. It asks about each token if it does not read the feed. */
export interface StopAnswer {
  clientId: string
  name: string
  state: 'reached' | 'waiting' | 'asks'
  /** From the stop until its last reader has passed it; null: not all have. */
  seconds: number | null
  /** The earliest last poll of the readers that have not passed it; null: all have. */
  since: Date | null
}

export interface Stop {
  at: Date
  answers: StopAnswer[]
}

/** A process of a data API that reads the feed. */
export interface FeedReaderState {
  reader: string
  lastPollAt: Date
  /** Changes that it has not passed yet. */
  behind: number
  /** Name and version. */
  library: string | null
}

export interface StopStore {
  /**
   * @param organizationIds the stop must concern one of them, and only data APIs that serve one are named; null: all
   * @returns null when there is none
   */
  find(id: string, organizationIds: readonly string[] | null): Promise<Stop | null>
  readers(clientId: string): Promise<FeedReaderState[]>
  /** Reports each reader that has become silent once, on all instances. */
  reportSilent(eventOf: (clientId: string, readers: number) => AuditEvent): Promise<void>
}

/** Milliseconds between two looks at a stop that a caller waits for. */
const lookEvery = 300

export const createStops = (store: StopStore) => {
  const closing = new AbortController()

  /** @throws NotFound */
  const read = async (id: string, organizationIds: readonly string[] | null) =>
    found(await store.find(id, organizationIds), 'stop')

  return {
    read,
    /** As `read`, when no data API is waited for any more or the seconds are over. */
    settled: async (...[id, organizationIds, wait, gone]: [...Asked, number, AbortSignal]) => {
      const deadline = performance.now() + wait * 1000
      const signal = AbortSignal.any([gone, closing.signal])
      for (;;) {
        const stop = await read(id, organizationIds)
        const left = deadline - performance.now()
        const isWaiting = stop.answers.some(({ state }) => state === 'waiting')
        if (!isWaiting || left <= 0 || signal.aborted) return stop
        await sleep(Math.min(left, lookEvery), undefined, { signal }).catch(() => undefined)
      }
    },
    readers: store.readers,
    /** Answers all who wait. */
    close: () => closing.abort(),
  }
}

type Asked = Parameters<StopStore['find']>

export type Stops = ReturnType<typeof createStops>

/** The event of a data API with readers that have become silent. */
export const silentEvent = (clientId: string, readers: number) =>
  auditEvent(byServer, 'resource_server.silent', { clientId, detail: { readers } })
