/**
 * The limit never falls below this, however slow the answers are: one client with some tens of connections stays below
 * it.
 */
const lowest = 64
/**
 * Milliseconds. A slower answer that also took several times as long as the quickest counts as late: it waited for
 * other requests.
 */
const longestAnswer = 250
/** Milliseconds after which an answer shows a heavy overload. */
const muchTooLong = 1000
const timesTheQuickest = 3
/** Milliseconds over which the quickest answer is determined. */
const recently = 5000
/**
 * Milliseconds between two steps down. Requests admitted before the last step are late too and give no new information.
 */
const stepEvery = 100
/** Milliseconds without a late answer after which the limit grows by half. */
const growEvery = 1000

/**
 * Finds how many requests can be under way while each is still answered in time. Late answers lower the limit in steps,
 * and answers in time raise it slowly, as TCP finds the capacity of a network.
 */
export const createAdaptiveLimit = (most: number) => {
  const least = Math.min(lowest, most)
  let limit = most
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
    if (limit === most || now - steppedAt < growEvery) return
    steppedAt = now
    limit = Math.min(most, limit * 1.5)
  }

  return {
    size: () => {
      grow()
      return limit
    },
    /**
     * @param milliseconds from the complete request to the handler's answer
     * @param underWay how many requests were under way then
     */
    answered: (milliseconds: number, underWay: number) => {
      const now = performance.now()
      noteQuickest(milliseconds, now)
      if (milliseconds <= Math.max(longestAnswer, quickest * timesTheQuickest)) {
        if (underWay > limit / 2) limit = Math.min(most, limit + 1 / limit)
      } else if (now - steppedAt > stepEvery) {
        steppedAt = now
        const share = milliseconds > muchTooLong ? 0.5 : 0.9
        limit = Math.max(least, Math.min(limit, underWay) * share)
      }
    },
  }
}
