import { type TokenLifetimes, tokenLifetimeOf } from '../clients/token-lifetime.ts'
import { randomText } from '../crypto/random.ts'
import { type AccessTokenSubject, claimsOf } from './access-token-claims.ts'
import { createJwtSigner } from './jwt.ts'
import type { SigningKeys } from './signing-keys.ts'

export const createAccessTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'active'>
  issuer: string
  audience: string
  lifetimes: TokenLifetimes
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { signingKeys, issuer, audience, lifetimes, now } = deps
  const signed = createJwtSigner(signingKeys, 'at+jwt')

  return {
    /**
     * Signs a JWT access token (RFC 9068, ES256).
     * @param jkt thumbprint of the key to bind the token to; null: a bearer token
     * @returns the token and its lifetime in seconds
     */
    issue: (subject: AccessTokenSubject, jkt: string | null = null) => {
      const issuedAt = Math.floor(now() / 1000)
      const own = tokenLifetimeOf(subject, lifetimes)
      const latest = Math.min(
        subject.notAfter ?? Number.POSITIVE_INFINITY,
        subject.delegated?.notAfter ?? Number.POSITIVE_INFINITY,
      )
      const lifetime = Math.max(0, Math.min(own, latest - issuedAt))
      const context = { issuer, audience, issuedAt, lifetime, jti: randomText(16), jkt }
      return { accessToken: signed(claimsOf(subject, context)), expiresIn: lifetime }
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
