// Is a token any business of the resource server that asks?
import { knownOf, type ResourceLimits, serves } from '../clients/resource-limits.ts'
import type { TokenFacts, Verdict } from './token-facts.ts'

export interface Audience {
  /**
   * A token of another audience or organization is inactive for the resource server. Both have one reason, and it is
   * found without a further query, so that neither the answer nor its time tells them from an unknown token.
   * @param audiences `aud` of the token; null: it has none, so it is for the default audience
   */
  refuses(
    limits: ResourceLimits,
    token: { audiences: readonly string[] | null; organizationId: string },
  ): boolean
}

export const createAudience = (defaultAudience: string): Audience => ({
  refuses: (limits, { audiences, organizationId }) => {
    const own = limits.resource ?? [defaultAudience]
    const named = audiences ?? [defaultAudience]
    return !serves(limits, organizationId) || !named.some((one) => own.includes(one))
  },
})

export const forOthers = (facts: TokenFacts | null): Verdict => ({
  refused: 'other_audience',
  facts,
})

/** The verdict without the permissions that the resource server does not know. */
export const known = (limits: ResourceLimits, verdict: Verdict): Verdict =>
  verdict.facts === null || limits.permissions === null
    ? verdict
    : {
        ...verdict,
        facts: { ...verdict.facts, permissions: knownOf(limits, verdict.facts.permissions) },
      }
