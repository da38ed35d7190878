/** Requests for one generation that were answered 503 although their command may have run (decision 0050). */
export interface Unsettled {
  generation: number
  nonces: readonly string[]
}

/** Reads `live` from the stored generation and the nonce of the request that made it live. */
export const liveGeneration = (
  generation: number,
  nonce: string | null,
  unsettled: Unsettled | null,
): number =>
  unsettled?.generation === generation - 1 && nonce !== null && unsettled.nonces.includes(nonce)
    ? generation - 1
    : generation
