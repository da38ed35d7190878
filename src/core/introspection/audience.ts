// Is a token any business of the resource server that asks?
import { knownOf, type ResourceLimits, serves } from '../clients/resource-limits.ts'
import { hasResource } from '../clients/resources.ts'
import type { TokenFacts, Verdict } from './token-facts.ts'

/** The audiences and the organization that a token is for. */
export interface TokenBounds {
  /** `aud`; null: it has none, so it is for the default audience */
  audiences: readonly string[] | null
  organizationId: string
}

export const createAudience = (defaultAudience: string) => ({
  /**
   * A token of another audience or organization is inactive for the resource server. Both have one reason, and it is
   * found without a further query, so that neither the answer nor its time tells them from an unknown token.
   */
  refuses: (limits: ResourceLimits, { audiences, organizationId }: TokenBounds): boolean => {
    const own = limits.resource ?? [defaultAudience]
    const named = audiences ?? [defaultAudience]
    return !serves(limits, organizationId) || !named.some((one) => hasResource(own, one))
  },
})

export type Audience = ReturnType<typeof createAudience>

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
