import type { CompactJws } from '../crypto/compact-jws.ts'
import type { TokenReason } from '../language/sub-reasons.ts'
import type { AccessTokenClaims } from './access-token-claims.ts'
import { hasOwnHeader, isSignedByUs } from './jwt.ts'
import type { SigningKeys } from './signing-keys.ts'

/** An access token of our own: its claims once the signature is known to be ours, and why it is refused. */
export interface IssuedToken {
  /** null: not signed by us. */
  claims: AccessTokenClaims | null
  /** null: in its time and for our audience. */
  refused: Extract<
    TokenReason,
    'signature_invalid' | 'other_issuer' | 'other_audience' | 'expired'
  > | null
}

export interface IssuedTokens {
  /** True for the header of a token that we might have made (RFC 9068 §2.1); an HS256 token never is one. */
  couldBe(token: CompactJws): boolean
  read(token: CompactJws): IssuedToken
}

export const createIssuedTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>
  issuer: string
  audience: string
  /** Milliseconds since 1970. */
  now: () => number
}): IssuedTokens => {
  const { signingKeys, issuer, audience, now } = deps

  return {
    couldBe: (token) => hasOwnHeader(token, 'at+jwt'),
    read: (token) => {
      if (!isSignedByUs(signingKeys, token)) return { claims: null, refused: 'signature_invalid' }
      const claims = token.claims as unknown as AccessTokenClaims
      if (claims.iss !== issuer) return { claims, refused: 'other_issuer' }
      if (claims.aud !== audience) return { claims, refused: 'other_audience' }
      if (claims.exp <= now() / 1000) return { claims, refused: 'expired' }
      return { claims, refused: null }
    },
  }
}
