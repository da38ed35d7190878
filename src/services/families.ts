/** What became of a presented generation. */
export type Advance =
  /** It was the live one; the family has moved on and `generation` is the new live one. */
  | { outcome: 'advanced'; generation: number }
  /** The live one's predecessor within the app's retry window: `generation` is still the live one. */
  | { outcome: 'repeated'; generation: number }
  /** Not spent yet (answer to `probe` only). */
  | { outcome: 'live' }
  /** Spent before; the family has ended with this call. */
  | { outcome: 'replayed' }
  /** No such family: never made, expired, ended or lost. */
  | { outcome: 'absent' }

/** Which generation of a grant family is live. One round trip for each call. */
export interface FamilyStore {
  /**
   * Opens a family.
   * @param lifetime seconds until it ends unless it is advanced before
   * @returns false when it exists already
   */
  create(familyId: string, generation: number, lifetime: number): Promise<boolean>
  /** Spends `generation`: compare and set in one step, the same answer when the same nonce is sent again. */
  advance(
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
  ): Promise<Advance>
  /** Spends nothing, but a spent generation ends the family here too. */
  probe(familyId: string, generation: number, retryWindow: number): Promise<Advance>
  /** The generation that may be used next; looking spends and ends nothing. @returns null when the family is gone */
  live(familyId: string): Promise<number | null>
  end(familyId: string): Promise<void>
}
