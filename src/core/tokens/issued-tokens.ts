import { hash } from 'node:crypto'
import { createRecent } from '#verify/rules/recent'
import { type CompactJws, readCompactJws } from '../crypto/compact-jws.ts'
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

/** What a token says that was verified with a key that is still published. */
interface Verified {
  claims: AccessTokenClaims
  kid: string
  key: object
  /** Characters of the token. */
  length: number
}

/** Bytes, about, of the tokens that were verified last. */
const mostRemembered = 16_777_216

/** The claims as an object take three times the bytes of the token. */
const weigh = ({ length }: Verified) => 400 + 3 * length

export const createIssuedTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>
  issuer: string
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { signingKeys, issuer, now } = deps
  const verified = createRecent<Verified>(mostRemembered, weigh)
  // The tokens themselves are not kept.
  const nameOf = (text: string) => hash('sha256', text, 'base64url')

  const inTime = (claims: AccessTokenClaims): IssuedToken => {
    if (claims.iss !== issuer) return { claims, refused: 'other_issuer' }
    if (claims.exp <= now() / 1000) return { claims, refused: 'expired' }
    return { claims, refused: null }
  }

  /** @returns null: it was not verified lately, or its key is withdrawn */
  const recall = (text: string): IssuedToken | null => {
    const known = verified.get(nameOf(text))
    return known && signingKeys.publicKey(known.kid) === known.key ? inTime(known.claims) : null
  }

  /**
   * Verifies a token that this server could have issued, by its header (RFC 9068 §2.1): never HS256.
   * @param token the parsed text @returns null for any other
   */
  const verify = (text: string, token: CompactJws): IssuedToken | null => {
    if (!hasOwnHeader(token, 'at+jwt')) return null
    if (!isSignedByUs(signingKeys, token)) return { claims: null, refused: 'signature_invalid' }
    const claims = token.claims as unknown as AccessTokenClaims
    const kid = token.header.kid as string
    const key = signingKeys.publicKey(kid)
    if (key) verified.set(nameOf(text), { claims, kid, key, length: text.length })
    return inTime(claims)
  }

  return {
    recall,
    verify,
    /** @returns null: not an access token with a header of ours */
    read: (text: string): IssuedToken | null => {
      const known = recall(text)
      const token = known ? null : readCompactJws(text)
      return token ? verify(text, token) : known
    },
  }
}

export type IssuedTokens = ReturnType<typeof createIssuedTokens>
