import { successorGrantId } from '../clients/successor-rules.ts'
import { StoreUnavailable } from '../language/errors.ts'
import type { GrantEvents } from './events.ts'
import type { FamilyStore } from './families.ts'
import type { Grant } from './grant.ts'
import type { GrantStore } from './store.ts'

const unanswered = (error: unknown) => {
  if (!(error instanceof StoreUnavailable)) throw error
  return null
}

/** How grants end. */
export const createGrantEnds = (deps: {
  store: Pick<GrantStore, 'end'>
  families: Pick<FamilyStore, 'end'>
  events: Pick<GrantEvents, 'ended'>
}) => {
  const { store, families, events } = deps

  /**
   * The family is gone already; the row only follows, and what Postgres says is no condition of the answer.
   * @returns false when the row had ended before; null when nobody can tell
   */
  const endRow = async (grantId: string, reason: string): Promise<boolean | null> => {
    const attempt = () => store.end(grantId, reason).catch(unanswered)
    const wasLive = await attempt()
    if (wasLive !== null) return wasLive
    // What did not answer may have been done: "before" may have been by ourselves.
    return (await attempt()) || null
  }

  return {
    /** Ends a family for good: the live state first, so that no later request can win. */
    end: async (grant: Grant, reason: string) => {
      await families.end(grant.id)
      await store.end(grant.id, reason)
      events.ended(grant, reason)
    },

    endRow,

    /**
     * A spent token of a legacy grant has come again: what the grant may have become ends, too (RFC 9700 §4.14.2).
     * @returns false when it has become nothing, or that had ended before; null when nobody can tell
     */
    endSuccessor: async (legacyGrantId: string) => {
      const successorId = successorGrantId(legacyGrantId)
      await families.end(successorId)
      return endRow(successorId, 'reuse_detected')
    },
  }
}
