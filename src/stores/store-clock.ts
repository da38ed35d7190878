/**
 * A store's own time, learnt from its answers and carried on by a clock that never jumps, so that a
 * deadline written into a command is understood by the store whatever this machine's date says.
 */
export interface StoreClock {
  /** Milliseconds since 1970, by the store's date. */
  now(): number
  /** Milliseconds of store time at which a command sent now is too late. */
  deadline(withinMs: number): number
  /**
   * Takes in what the store said its time is (ms).
   * @param agoMs milliseconds since it said so
   */
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
