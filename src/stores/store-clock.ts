/**
 * The time of a store, read from its replies and continued by a monotonic clock. A deadline in a command is then
 * right for the store, whatever this machine's clock says.
 */
export const createStoreClock = (monotonicMs: () => number = () => performance.now()) => {
  let offset = Date.now() - monotonicMs()
  return {
    /** Milliseconds since 1970, by the store's clock. */
    now: () => Math.floor(monotonicMs() + offset),
    /** The store time in milliseconds after which a command sent now is too late. */
    deadline: (withinMs: number) => Math.ceil(monotonicMs() + offset + withinMs),
    /** Sets the clock. @param storeMs time reported by the store @param agoMs milliseconds since the report */
    observe: (storeMs: number, agoMs = 0) => {
      offset = storeMs + agoMs - monotonicMs()
    },
  }
}

export type StoreClock = ReturnType<typeof createStoreClock>
