/**
 * Decides when a server is stuck: it refuses requests because all slots are occupied, and for a long time no request
 * was answered or admitted. A handler always answers within a few store timeouts, and neither an overload nor clients
 * that send or read slowly keep all of them from it, so nothing but a defect of the server itself leads there.
 * @param stuckAfter milliseconds; longer than a handler may take when the stores do not respond
 */
export const createWatchdog = (stuckAfter: number) => {
  let refusedSince: number | null = null
  return {
    /** A request was admitted, or the handler of one has answered. */
    progressed: () => {
      refusedSince = null
    },
    /**
     * A request was refused because all slots were occupied.
     * @param now milliseconds, on a clock that never jumps
     */
    refused: (now: number) => {
      refusedSince ??= now
    },
    /** True until there is progress again, also when the load balancer sends no more requests. */
    isStuck: (now: number) => refusedSince !== null && now - refusedSince >= stuckAfter,
  }
}
