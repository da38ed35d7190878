import { OAuthError } from '../domain/errors.ts'
import type { OpenidScope } from '../domain/openid.ts'
import type { Introspection } from './introspection.ts'

/** What is known of a person. */
export interface Described {
  name: string
  email: string
  emailVerified: boolean
}

export interface UserinfoStore {
  /** null when unknown or disabled */
  describe(userId: string): Promise<Described | null>
}

/** OpenID Connect Core §5.1 and the contract's own. */
export interface UserinfoClaims {
  sub: string
  organization_id: string
  name?: string
  email?: string
  email_verified?: boolean
}

export interface Userinfo {
  /** @throws OAuthError invalid_token, insufficient_scope (RFC 6750 §3.1) */
  read(accessToken: string): Promise<UserinfoClaims>
}

const invalidToken = (reason: string) =>
  new OAuthError('invalid_token', 'the access token is invalid, expired or revoked', { reason })

const claimsFor = (scopes: readonly OpenidScope[], person: Described) => ({
  ...(scopes.includes('profile') && { name: person.name }),
  ...(scopes.includes('email') && {
    email: person.email,
    email_verified: person.emailVerified,
  }),
})

/** What an app may know of who its token is for. The world is read anew at each request. */
export const createUserinfo = (deps: {
  introspection: Pick<Introspection, 'accessToken'>
  people: UserinfoStore
}): Userinfo => ({
  read: async (accessToken) => {
    const { refused, facts } = await deps.introspection.accessToken(accessToken)
    if (refused !== null || !facts) throw invalidToken(refused ?? 'unreadable')
    const { openidScopes, subject, organizationId } = facts
    if (!openidScopes.includes('openid')) {
      throw new OAuthError('insufficient_scope', 'the access token was issued without openid')
    }
    const person = await deps.people.describe(subject)
    if (!person) throw invalidToken('user_disabled')
    return {
      sub: subject,
      organization_id: organizationId,
      ...claimsFor(openidScopes, person),
    }
  },
})
