/**
 * Polls for new entries once for all readers, while any of them waits. A query works through every connection pooler;
 * LISTEN does not.
 * @param newest number of the newest entry; entries are numbered in their order
 * @param pollEvery milliseconds
 */
export const createBell = (newest: () => Promise<number>, pollEvery: number) => {
  /** Waiting readers by wake function, with the last entry that each has seen. */
  const waiting = new Map<() => void, number>()
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const look = async () => {
    // An unavailable store wakes no reader: the reader's next request reports it.
    const last = await newest().catch(() => 0)
    for (const [wake, seen] of waiting) if (last > seen) wake()
    timer = waiting.size > 0 && !closed ? setTimeout(() => void look(), pollEvery) : null
  }

  return {
    /**
     * Resolves when there is an entry after `seen`, the time is up, the reader has disconnected or the bell is
     * closed.
     */
    wait: (seen: number, milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (closed || signal.aborted) return resolve()
        const wake = () => {
          clearTimeout(limit)
          signal.removeEventListener('abort', wake)
          waiting.delete(wake)
          resolve()
        }
        const limit = setTimeout(wake, milliseconds)
        signal.addEventListener('abort', wake)
        waiting.set(wake, seen)
        timer ??= setTimeout(() => void look(), pollEvery)
      }),
    waiting: () => waiting.size,
    isClosed: () => closed,
    close: () => {
      closed = true
      if (timer) clearTimeout(timer)
      for (const wake of [...waiting.keys()]) wake()
    },
  }
}
