import type { Limits } from '../limits/limits.ts'
import { codeLifetime } from '../tokens/access-token-claims.ts'
import type { GrantEvents } from './events.ts'
import type { FamilyStore } from './families.ts'
import type { Grant } from './grant.ts'
import type { GrantStore, Surplus, SurplusGrant } from './store.ts'

export interface GrantBound {
  /** How far the store has to count when it writes a grant. */
  countUpTo: number
  /**
   * Limits how fast grants are made where there are many already: each costs rows in the trail and in the feed. Others
   * are not counted, which would cost them a round trip.
   * @throws OAuthError slow_down
   */
  admit(grant: Grant, others: number): Promise<void>
  /**
   * Ends the oldest grants of the same user, app and organization beyond the bound. What cannot be ended now is ended
   * with the next one.
   * @param others as the store has counted them when it wrote the grant
   */
  keep(grant: Grant, others: number): Promise<void>
}

/** Why they end. */
export const superseded = 'superseded'

/**
 * Bounds the live grants of a user, app and organization, codes that nobody has redeemed yet among them. Such codes end
 * first where they are more than half: any page can make a browser ask for them, and must not push out what the person
 * uses.
 */
export const createGrantBound = (deps: {
  store: Pick<GrantStore, 'surplus' | 'end'>
  families: Pick<FamilyStore, 'live' | 'end'>
  events: Pick<GrantEvents, 'ended'>
  limits: Pick<Limits, 'authorizedAgain'>
  /** How many may live. */
  most: number
}): GrantBound => {
  const { store, families, events, limits, most } = deps

  /** Not redeemed: its family is at its beginning, or expired there. */
  const isCode = async ({ id }: SurplusGrant) => ((await families.live(id)) ?? 0) === 0

  const unredeemed = async ({ oldest, unused }: Surplus): Promise<SurplusGrant[]> => {
    const isFlood = unused > most / 2
    const asked = oldest.filter(({ used, age }) => !used && (isFlood || age > codeLifetime))
    const codes = await Promise.all(asked.map(isCode))
    return asked.filter((_, at) => codes[at])
  }

  const endOne = async (grant: Grant, id: string) => {
    await families.end(id)
    if (await store.end(id, superseded)) events.ended({ ...grant, id }, superseded)
  }

  const endSurplus = async (grant: Grant) => {
    const surplus = await store.surplus(grant.id, most)
    if (surplus.excess === 0) return
    const codes = await unredeemed(surplus)
    const ending = [...new Set([...codes, ...surplus.oldest])].slice(0, surplus.excess)
    for (const { id } of ending) await endOne(grant, id)
  }

  // Grants that are written at the same time do not count each other. So the bound is looked at from its half on, and
  // only after the grant is written: the last one sees all.
  const countUpTo = Math.floor(most / 2)

  return {
    countUpTo,
    admit: async ({ userId, clientId }, others) => {
      if (others >= countUpTo) await limits.authorizedAgain(userId, clientId)
    },
    keep: async (grant, others) => {
      if (others >= countUpTo) await endSurplus(grant).catch(() => undefined)
    },
  }
}
