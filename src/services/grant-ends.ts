import type { Grant } from '../domain/grant.ts'
import type { FamilyStore } from './families.ts'
import type { GrantStore } from './grant-store.ts'
import type { GrantEvents } from './grants.ts'

/** How grants end. */
export const createGrantEnds = (deps: {
  store: Pick<GrantStore, 'end'>
  families: Pick<FamilyStore, 'end'>
  events: Pick<GrantEvents, 'ended'>
}) => {
  const { store, families, events } = deps

  return {
    /** Ends a family for good: the live state first, so that no later request can win. */
    end: async (grant: Grant, reason: string) => {
      await families.end(grant.id)
      await store.end(grant.id, reason)
      events.ended(grant, reason)
    },
  }
}
