/** Requests for one generation that were answered with 503 although their command may have run (decision 0050). */
export interface Unsettled {
  generation: number
  nonces: readonly string[]
}

/** Computes the live generation from the stored one and the nonce of the request that made it live. */
export const liveGeneration = (
  generation: number,
  nonce: string | null,
  unsettled: Unsettled | null,
): number =>
  unsettled?.generation === generation - 1 && nonce !== null && unsettled.nonces.includes(nonce)
    ? generation - 1
    : generation
