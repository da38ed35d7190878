import type { OpenidScope } from '../clients/openid.ts'
import { OAuthError } from '../language/errors.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import type { Introspection } from './introspection.ts'

/** The data of a user. */
export interface UserProfile {
  name: string
  email: string
  emailVerified: boolean
  /** The last change of these, in seconds since 1970; null: unknown. */
  updatedAt: number | null
}

export interface UserinfoStore {
  /** null when unknown or disabled */
  describe(userId: string): Promise<UserProfile | null>
}

const invalidToken = (reason: string) =>
  new OAuthError('invalid_token', 'the access token is invalid, expired or revoked', { reason })

/** OpenID Connect Core §5.1. */
const claimsFor = (scopes: readonly OpenidScope[], person: UserProfile) => ({
  ...(scopes.includes('profile') && {
    name: person.name,
    ...(person.updatedAt !== null && { updated_at: person.updatedAt }),
  }),
  ...(scopes.includes('email') && {
    email: person.email,
    email_verified: person.emailVerified,
  }),
})

/** Returns the claims about a token's user that the app may read. Each request reads the current state. */
export const createUserinfo = (deps: {
  introspection: Pick<Introspection, 'accessToken'>
  people: UserinfoStore
}) => ({
  /**
   * @param key proven for this token; null: a bearer token
   * @throws OAuthError invalid_token, insufficient_scope (RFC 6750 §3.1), invalid_dpop_proof
   */
  read: async (accessToken: string, key: DpopProof | null) => {
    const { refused, facts } = await deps.introspection.accessToken(accessToken)
    if (refused !== null || !facts) throw invalidToken(refused ?? 'unreadable')
    // RFC 9449 §7.2: a bound token must not be used as a bearer token, nor a bearer token with a proof.
    if (facts.jkt !== (key?.jkt ?? null)) throw invalidToken(key ? 'key_mismatch' : 'bound_to_key')
    await key?.use()
    const { openidScopes, subject, organizationId } = facts
    if (!openidScopes.includes('openid'))
      throw new OAuthError('insufficient_scope', 'the access token was issued without openid')
    const person = await deps.people.describe(subject)
    if (!person) throw invalidToken('user_disabled')
    return { sub: subject, organization_id: organizationId, ...claimsFor(openidScopes, person) }
  },
})

export type Userinfo = ReturnType<typeof createUserinfo>
