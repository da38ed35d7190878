import type { Limits } from '../limits/limits.ts'
import { codeLifetime } from './code-lifetime.ts'
import type { FamilyStore } from './families.ts'
import type { Grant } from './grant.ts'
import type { GrantEvents, GrantStore, Surplus, SurplusGrant } from './store.ts'

/** The reason recorded for their end. */
export const superseded = 'superseded'

/**
 * Bounds the live grants of a user, app and organization, including unredeemed codes. If such codes are more than
 * half, they end first: any page can make a browser request them, and an attacker could otherwise displace the grants
 * in use.
 */
export const createGrantBound = (deps: {
  store: Pick<GrantStore, 'surplus' | 'end'>
  families: Pick<FamilyStore, 'live' | 'end'>
  events: Pick<GrantEvents, 'ended'>
  limits: Pick<Limits, 'authorizedAgain'>
  /** Maximum number of live grants. */
  most: number
}) => {
  const { store, families, events, limits, most } = deps

  /** True for an unredeemed code: its family is at generation 0, or has expired there. */
  const isCode = async ({ id }: SurplusGrant) => ((await families.live(id)) ?? 0) === 0

  const unredeemed = async ({ oldest, unused }: Surplus): Promise<SurplusGrant[]> => {
    const isFlood = unused > most / 2
    const requested = oldest.filter(({ used, age }) => !used && (isFlood || age > codeLifetime))
    const codes = await Promise.all(requested.map(isCode))
    return requested.filter((_, at) => codes[at])
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

  // Concurrent inserts do not count each other. So the bound is checked from half of it on, and only after the grant
  // is written: the last one sees them all.
  const countUpTo = Math.floor(most / 2)

  return {
    /** Maximum count of the store when it writes a grant. */
    countUpTo,

    /**
     * Limits the rate of new grants for users and apps that have many: each one costs rows in the audit trail and the
     * feed. Below that there is no count, which would cost a round trip.
     * @throws OAuthError slow_down
     */
    admit: async ({ userId, clientId }: Grant, others: number) => {
      if (others >= countUpTo) await limits.authorizedAgain(userId, clientId)
    },

    /**
     * Ends the oldest grants of the same user, app and organization above the bound. Grants that cannot be ended now
     * are ended with the next new grant.
     * @param others counted by the store when it wrote the grant
     */
    keep: async (grant: Grant, others: number) => {
      if (others >= countUpTo) await endSurplus(grant).catch(() => undefined)
    },
  }
}

export type GrantBound = ReturnType<typeof createGrantBound>
