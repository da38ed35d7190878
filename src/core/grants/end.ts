import { successorGrantId } from '../clients/successor-rules.ts'
import { invalidGrant, StoreUnavailable } from '../language/errors.ts'
import type { FamilyStore } from './families.ts'
import type { Grant, GrantEnd } from './grant.ts'
import type { GrantEvents, GrantStore, LoadedGrant } from './store.ts'

const unanswered = (error: unknown) => {
  if (!(error instanceof StoreUnavailable)) throw error
  return null
}

/** Ends grants. */
export const createGrantEnds = (deps: {
  store: Pick<GrantStore, 'end'>
  families: Pick<FamilyStore, 'end'>
  events: Pick<GrantEvents, 'ended'>
}) => {
  const { store, families, events } = deps

  /**
   * Updates the row after its family has ended. The response does not depend on Postgres.
   * @returns false when the row had ended before; null when unknown
   */
  const endRow = async (grantId: string, reason: string): Promise<boolean | null> => {
    const attempt = () => store.end(grantId, reason).catch(unanswered)
    const wasLive = await attempt()
    if (wasLive !== null) return wasLive
    // An attempt without a reply may have succeeded, so "ended before" may refer to this very call.
    return (await attempt()) || null
  }

  /** Ends a family for good. The live state goes first, so that no later request can win. */
  const end = async (grant: Grant, reason: string) => {
    await families.end(grant.id)
    await store.end(grant.id, reason)
    events.ended(grant, reason)
  }

  return {
    end,

    /** Refuses a token of a grant that is over, which then ends for good. @throws OAuthError invalid_grant */
    refuseDead: async ({ grant, standing }: LoadedGrant, reason: GrantEnd): Promise<never> => {
      if (!standing.ended) await end(grant, reason)
      throw invalidGrant(reason)
    },

    endRow,

    /**
     * Ends the successor of a legacy grant when a consumed token of that grant is replayed (RFC 9700 §4.14.2).
     * @returns false when there is no successor or it had ended before; null when unknown
     */
    endSuccessor: async (legacyGrantId: string) => {
      const successorId = successorGrantId(legacyGrantId)
      await families.end(successorId)
      return endRow(successorId, 'reuse_detected')
    },
  }
}
