import { setTimeout as sleep } from 'node:timers/promises'
import { type OAuthError, StoreUnavailable } from '../language/errors.ts'
import { overload } from './fair-queue.ts'
import type { CounterStore } from './records.ts'

/** A failure counter, and its maximum in a minute. */
export interface FailureLimit<Reason extends string> {
  key: string
  most: number
  reason: Reason
}

const minute = 60
const underWay = ' under way'
/** Milliseconds between two looks at attempts that run, and until it is given up. */
const pause = 50
const longestWait = 20_000
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

  const hit = (key: string, by = 1) =>
    counters.hit(key, by, minute).catch((error) => {
      if (error instanceof StoreUnavailable) return local.hit(key, by, minute)
      throw error
    })

  type Limits = readonly FailureLimit<Reason>[]

  const hitAll = (limits: Limits, by: number, suffix = '') =>
    Promise.all(limits.map(({ key }) => hit(key + suffix, by)))

  const refusalOf = (limits: readonly FailureLimit<Reason>[]) => {
    for (const { key, reason } of limits) {
      const left = over.left(key)
      if (left > 0) return refusal(Math.ceil(left / 1000), reason)
    }
    return null
  }

  /**
   * Adds an attempt to those that run. They are counted before the failures are read: one that fails meanwhile is counted
   * twice, never not at all.
   * @returns false when the limit leaves no room until others have ended @throws OAuthError when failures exceed it
   */
  const begin = async (limits: Limits): Promise<boolean> => {
    const running = await hitAll(limits, 1, underWay)
    const failed = await hitAll(limits, 0)
    const isWithin = limits.every(
      ({ most }, at) => (running[at]?.count ?? 0) + (failed[at]?.count ?? 0) <= most,
    )
    if (isWithin) return true
    await hitAll(limits, -1, underWay)
    for (const [at, { most, reason }] of limits.entries()) {
      const { count = 0, resetsIn = minute } = failed[at] ?? {}
      if (count >= most) throw refusal(Math.max(1, resetsIn), reason)
    }
    return false
  }

  return {
    /**
     * Counts an attempt as failed while its credentials are being verified.
     * @returns settles the count
     * @throws OAuthError when the failures reach a limit, or attempts that run keep it for too long
     */
    attempt: async (limits: Limits): Promise<(matches: boolean) => Promise<void>> => {
      const started = performance.now()
      while (!(await begin(limits))) {
        if (performance.now() - started > longestWait) throw overload()
        await sleep(pause * (1 + Math.random()))
      }
      return async (matches) => {
        if (!matches) await hitAll(limits, 1)
        await hitAll(limits, -1, underWay)
      }
    },

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
