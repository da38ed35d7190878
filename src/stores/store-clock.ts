/**
 * The time of a store, read from its replies and continued by a monotonic clock. A deadline in a command is then
 * right for the store, whatever this machine's clock says.
 */
export interface StoreClock {
  /** Milliseconds since 1970, by the store's clock. */
  now(): number
  /** The store time in milliseconds after which a command sent now is too late. */
  deadline(withinMs: number): number
  /** Sets the clock. @param storeMs time reported by the store @param agoMs milliseconds since the report */
  observe(storeMs: number, agoMs?: number): void
}

export const createStoreClock = (
  monotonicMs: () => number = () => performance.now(),
): StoreClock => {
  let offset = Date.now() - monotonicMs()
  return {
    now: () => Math.floor(monotonicMs() + offset),
    deadline: (withinMs) => Math.ceil(monotonicMs() + offset + withinMs),
    observe: (storeMs, agoMs = 0) => {
      offset = storeMs + agoMs - monotonicMs()
    },
  }
}
