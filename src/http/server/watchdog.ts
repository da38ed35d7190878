/**
 * Decides when a server is stuck: it refuses requests because all slots are occupied, and for a long time it has
 * answered or admitted none. Only a defect of the server leads there. A handler answers within a few store timeouts,
 * and neither overload nor slow clients delay all handlers for so long.
 * @param stuckAfter milliseconds; longer than a handler may take when stores do not respond
 */
export const createWatchdog = (stuckAfter: number) => {
  let refusedSince: number | null = null
  return {
    /** A request was admitted or answered. */
    progressed: () => {
      refusedSince = null
    },
    /** A request was refused because all slots were occupied. @param now milliseconds, on a clock that never jumps */
    refused: (now: number) => {
      refusedSince ??= now
    },
    /** Stays true until the next progress, even when the load balancer stops sending requests. */
    isStuck: (now: number) => refusedSince !== null && now - refusedSince >= stuckAfter,
  }
}
