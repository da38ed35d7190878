import { listLength } from '../clients/permission-rules.ts'
import { type TokenLifetimes, tokenLifetimeOf } from '../clients/token-lifetime.ts'
import { randomText } from '../crypto/random.ts'
import { invalidScope } from '../language/errors.ts'
import { type AccessTokenSubject, claimsOf } from './access-token-claims.ts'
import { createJwtSigner, jwtLength } from './jwt.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Characters. A token stays below: with the rest of its header it fits into the 8,190 that proxies read by default. */
export const longestToken = 8000

/** Names and values of the longest kinds, for claims that are not known before the token is issued. */
const unknown = { issuedAt: 9_999_999_999, lifetime: 0, jti: 'x'.repeat(22), jkt: 'x'.repeat(43) }

/** Text of claims that always fits, in UTF-16 code units: each takes at most six bytes in JSON, and the rest of a token 1,000. */
const surelyFits = 800

/** The text of the claims whose length varies; permissions are in the scope, too. */
const textOf = (subject: AccessTokenSubject) =>
  2 * listLength(subject.permissions) +
  listLength(subject.workspaceIds ?? []) +
  2 * subject.clientId.length +
  subject.organizationId.length +
  subject.installId.length +
  (subject.kind === 'user' ? subject.userId.length + subject.grantId.length : 0)

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
  const room = surelyFits - issuer.length - audience.length
  /** Most tokens: their claims need not be written twice. */
  const isShort = (subject: AccessTokenSubject) =>
    !subject.delegated && !subject.resources && textOf(subject) < room

  return {
    /** Does the token of this subject fit into a header? */
    fits: (subject: AccessTokenSubject): boolean => {
      if (isShort(subject)) return true
      const claims = claimsOf(subject, { issuer, audience, ...unknown })
      return jwtLength('at+jwt', signingKeys.active(), claims) < longestToken
    },

    /**
     * Signs a JWT access token (RFC 9068, ES256).
     * @param jkt thumbprint of the key to bind the token to; null: a bearer token
     * @returns the token and its lifetime in seconds
     * @throws OAuthError invalid_scope for a token that does not fit, which other checks refuse before
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
      const accessToken = signed(claimsOf(subject, context))
      if (accessToken.length >= longestToken) throw invalidScope('token_too_long')
      return { accessToken, expiresIn: lifetime }
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
