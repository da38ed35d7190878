import { type OAuthError, StoreUnavailable } from '../language/errors.ts'
import { createLocalCounters } from './local-counters.ts'
import type { CounterStore } from './records.ts'

/** One counter of a failure, and how many it may reach in a minute. */
export interface FailureLimit<Reason extends string> {
  key: string
  most: number
  reason: Reason
}

const minute = 60
/** Milliseconds for which credentials that were wrong are known to be wrong. */
const wrongFor = 2000
const mostKept = 10_000

/** Keys that are forgotten at a time of their own; when there are too many, the oldest one is. */
const createMemory = () => {
  const kept = new Map<string, number>()
  let latest = 0
  return {
    isEmpty: () => performance.now() >= latest,
    /** @returns milliseconds until it is forgotten; 0: it is not known */
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
 * Counts failures of callers who show a wrong secret. A caller who is over a limit is remembered here, so that its next
 * failure asks no store; while the shared counters are away, this process counts for itself.
 * @param refusal makes the error that a caller over the limit gets
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
     * @param mark of the credentials that were wrong, if they are to be known again
     * @throws OAuthError when there were too many
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
     * The refusal of credentials that a caller over a limit has shown a moment ago, and that were wrong. Others are
     * looked at however often this caller has failed.
     */
    repeated: (
      limits: () => readonly FailureLimit<Reason>[],
      mark: () => string,
    ): OAuthError | null => {
      if (wrong.isEmpty()) return null
      const refused = refusalOf(limits())
      return refused !== null && wrong.left(mark()) > 0 ? refused : null
    },
  }
}
