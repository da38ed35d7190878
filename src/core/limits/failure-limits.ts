import { type OAuthError, StoreUnavailable } from '../language/errors.ts'
import type { CounterStore } from './records.ts'

/** A failure counter, and its maximum in a minute. */
export interface FailureLimit<Reason extends string> {
  key: string
  most: number
  reason: Reason
}

const minute = 60
/** Milliseconds for which wrong credentials are remembered as wrong. */
const wrongFor = 2000
/** More keys than honest clients of one instance have. A new key replaces the oldest one. */
const mostKept = 10_000

interface Counted {
  count: number
  /** performance.now() */
  until: number
}

/** Counters of this process. They replace the shared counters while their store is unavailable. */
const createLocalCounters = (): CounterStore => {
  const kept = new Map<string, Counted>()

  const counted = (key: string, window: number): Counted => {
    const known = kept.get(key)
    if (known && known.until > performance.now()) return known
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    const fresh = { count: 0, until: performance.now() + window * 1000 }
    kept.set(key, fresh)
    return fresh
  }

  return {
    hit: async (key, by, window) => {
      const one = counted(key, window)
      one.count = Math.max(0, one.count + by)
      return { count: one.count, resetsIn: Math.ceil((one.until - performance.now()) / 1000) }
    },
  }
}

/** Remembers keys, each for a given time. When there are too many, the oldest one is dropped. */
const createMemory = () => {
  const kept = new Map<string, number>()
  let latest = 0
  return {
    isEmpty: () => performance.now() >= latest,
    /** @returns milliseconds until the key is forgotten; 0 for an unknown key */
    left: (key: string) => Math.max(0, (kept.get(key) ?? 0) - performance.now()),
    keep: (key: string, milliseconds: number) => {
      kept.delete(key)
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      const until = performance.now() + milliseconds
      kept.set(key, until)
      latest = Math.max(latest, until)
    },
  }
}

/**
 * Counts wrong secrets by caller. A caller over a limit is remembered in memory, so that its next failure needs no
 * store. While the shared counters are unavailable, this process counts alone.
 * @param refusal makes the error for a caller over the limit
 */
export const createFailureLimits = <Reason extends string>(
  counters: CounterStore,
  refusal: (resetsIn: number, reason: Reason) => OAuthError,
) => {
  const local = createLocalCounters()
  const over = createMemory()
  const wrong = createMemory()

  const hit = (key: string) =>
    counters.hit(key, 1, minute).catch((error) => {
      if (error instanceof StoreUnavailable) return local.hit(key, 1, minute)
      throw error
    })

  const refusalOf = (limits: readonly FailureLimit<Reason>[]) => {
    for (const { key, reason } of limits) {
      const left = over.left(key)
      if (left > 0) return refusal(Math.ceil(left / 1000), reason)
    }
    return null
  }

  return {
    /**
     * Counts a failure.
     * @param mark identifies the wrong credentials, to recognise them again
     * @throws OAuthError when a limit is exceeded
     */
    count: async (limits: readonly FailureLimit<Reason>[], mark?: string): Promise<void> => {
      if (refusalOf(limits) === null) {
        const counts = await Promise.all(limits.map(({ key }) => hit(key)))
        counts.forEach(({ count, resetsIn }, at) => {
          const { key, most } = limits[at] as FailureLimit<Reason>
          if (count > most) over.keep(key, resetsIn * 1000)
        })
      }
      const refused = refusalOf(limits)
      if (refused === null) return
      if (mark !== undefined) wrong.keep(mark, wrongFor)
      throw refused
    },

    /**
     * Refuses wrong credentials that a caller over a limit sent a moment ago. Other credentials are checked however often
     * this caller has failed.
     * @throws OAuthError
     */
    refuseRepeated: (limits: () => readonly FailureLimit<Reason>[], mark: () => string): void => {
      if (wrong.isEmpty()) return
      const refused = refusalOf(limits())
      if (refused !== null && wrong.left(mark()) > 0) throw refused
    },
  }
}
