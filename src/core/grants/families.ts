import type { Unsettled } from './unsettled-rules.ts'

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
  /**
   * Spends `generation`: compare and set in one step, the same answer when the same nonce is sent again.
   * @param unsettled nonces of unsettled requests for this generation. If one of them has advanced the family, this
   *   request takes its place and gets the same successor. Commands of these requests that arrive later do nothing.
   */
  advance(
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
    unsettled?: readonly string[],
  ): Promise<Advance>
  /** Spends nothing, but a spent generation ends the family here too, unless an unsettled request has spent it. */
  probe(
    familyId: string,
    generation: number,
    retryWindow: number,
    unsettled?: readonly string[],
  ): Promise<Advance>
  /**
   * The generation that may be used next; reading spends and ends nothing.
   * @param unsettled the predecessor is still good if one of these requests has spent it
   * @returns null when the family is gone
   */
  live(familyId: string, unsettled?: Unsettled | null): Promise<number | null>
  end(familyId: string): Promise<void>
}
