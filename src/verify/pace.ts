/** Waits that do not keep the process running and can be cut short. */
export interface Pace {
  /** @param milliseconds */
  pause(milliseconds: number): Promise<void>
  /** Milliseconds to wait after so many failures in a row, from 0.2 s to 5 s, never the same for everybody. */
  backoff(failures: number): number
  /** Ends every wait, now and later. */
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
        // A number in browsers and their like, where nothing has to be kept from running.
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
