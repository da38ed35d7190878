import type { Unsettled } from './unsettled-rules.ts'

/** The result of presenting a generation. */
export type Advance =
  /** It was live and is now consumed; `generation` is the new live one. */
  | { outcome: 'advanced'; generation: number }
  /** It is the predecessor of the live generation, within the app's retry window; `generation` stays live. */
  | { outcome: 'repeated'; generation: number }
  /** It is live and not consumed (only in reply to `probe`). */
  | { outcome: 'live' }
  /** It was consumed before; this call has ended the family. */
  | { outcome: 'replayed' }
  /** There is no such family: never created, expired, ended or lost. */
  | { outcome: 'absent' }

/** Knows which generation of a grant family is live. Each call is one round trip. */
export interface FamilyStore {
  /**
   * Opens a family.
   * @param lifetime seconds until it expires, unless it is advanced before; null: it does not expire
   * @returns false when it exists already
   */
  create(familyId: string, generation: number, lifetime: number | null): Promise<boolean>
  /**
   * Consumes `generation` by compare and set in one step; repeating a nonce gives the same reply.
   * @param unsettled nonces of unsettled requests for this generation. If one of them has advanced the family, this
   * request displaces it and gets the same successor. Later commands of the displaced requests do nothing.
   */
  advance(
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
    unsettled?: readonly string[],
  ): Promise<Advance>
  /** Consumes nothing. A consumed generation ends the family here too, unless an unsettled request has consumed it. */
  probe(
    familyId: string,
    generation: number,
    retryWindow: number,
    unsettled?: readonly string[],
  ): Promise<Advance>
  /**
   * The generation that is valid next; reading changes nothing.
   * @param unsettled the predecessor is still valid if one of these requests has consumed it
   * @returns null when the family does not exist
   */
  live(familyId: string, unsettled?: Unsettled | null): Promise<number | null>
  end(familyId: string): Promise<void>
}
