/** Pauses that do not keep the process running and can be ended early. */
export interface Pace {
  /** @param milliseconds */
  pause(milliseconds: number): Promise<void>
  /** Milliseconds to wait after this many consecutive failures, from 0.2 s to 5 s, randomized. */
  backoff(failures: number): number
  /** Ends every current and later pause. */
  stop(): void
  isStopped(): boolean
}

export const createPace = (): Pace => {
  const waiting = new Set<() => void>()
  let stopped = false
  return {
    pause: (milliseconds) =>
      new Promise((resolve) => {
        if (stopped) return resolve()
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, milliseconds)
        // Browsers return a number, and no process has to end there.
        if (typeof timer === 'object') timer.unref()
        waiting.add(end)
      }),
    backoff: (failures) => Math.min(200 * 2 ** (failures - 1), 5000) * (0.5 + Math.random() / 2),
    stop: () => {
      stopped = true
      for (const end of waiting) end()
    },
    isStopped: () => stopped,
  }
}
