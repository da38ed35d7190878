import type { CounterStore } from './records.ts'

/** More keys than honest clients of one instance have. A new key replaces the oldest one. */
const mostKept = 10_000

interface Counted {
  count: number
  /** Milliseconds of the given clock. */
  until: number
}

/**
 * Counters of this process. They replace the shared counters while their store is unavailable.
 * @param now milliseconds of a monotonic clock
 */
export const createLocalCounters = (now: () => number = () => performance.now()): CounterStore => {
  const kept = new Map<string, Counted>()

  const counted = (key: string, window: number): Counted => {
    const known = kept.get(key)
    if (known && known.until > now()) return known
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    const fresh = { count: 0, until: now() + window * 1000 }
    kept.set(key, fresh)
    return fresh
  }

  return {
    hit: async (key, by, window) => {
      const one = counted(key, window)
      one.count = Math.max(0, one.count + by)
      return { count: one.count, resetsIn: Math.ceil((one.until - now()) / 1000) }
    },
  }
}
