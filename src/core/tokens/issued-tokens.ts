import type { CompactJws } from '../crypto/compact-jws.ts'
import type { TokenReason } from '../language/sub-reasons.ts'
import type { AccessTokenClaims } from './access-token-claims.ts'
import { hasOwnHeader, isSignedByUs } from './jwt.ts'
import type { SigningKeys } from './signing-keys.ts'

/** An access token with a header of ours: its claims if the signature is ours, and why it is refused. */
export interface IssuedToken {
  /** null: not signed by this server */
  claims: AccessTokenClaims | null
  /** null: valid in time. The audience is left to the caller. */
  refused: Extract<TokenReason, 'signature_invalid' | 'other_issuer' | 'expired'> | null
}

export const createIssuedTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>
  issuer: string
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { signingKeys, issuer, now } = deps

  return {
    /** Could this server have issued a token with this header (RFC 9068 §2.1)? Never true for HS256. */
    couldBe: (token: CompactJws) => hasOwnHeader(token, 'at+jwt'),
    read: (token: CompactJws): IssuedToken => {
      if (!isSignedByUs(signingKeys, token)) return { claims: null, refused: 'signature_invalid' }
      const claims = token.claims as unknown as AccessTokenClaims
      if (claims.iss !== issuer) return { claims, refused: 'other_issuer' }
      if (claims.exp <= now() / 1000) return { claims, refused: 'expired' }
      return { claims, refused: null }
    },
  }
}

export type IssuedTokens = ReturnType<typeof createIssuedTokens>
