import { verify } from 'node:crypto'
import type { AccessTokenClaims } from '../domain/access-token.ts'
import type { CompactJws } from '../domain/compact-jws.ts'
import type { TokenReason } from '../domain/sub-reasons.ts'
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

const headerMembers = ['alg', 'kid', 'typ']

export const createIssuedTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'publicKey'>
  issuer: string
  audience: string
  /** Milliseconds since 1970. */
  now: () => number
}): IssuedTokens => {
  const { signingKeys, issuer, audience, now } = deps

  const isOurs = ({ header, signingInput, signature }: CompactJws) => {
    const key = signingKeys.publicKey(header.kid as string)
    if (!key) return false
    return verify(
      'sha256',
      Buffer.from(signingInput),
      { key, dsaEncoding: 'ieee-p1363' },
      signature,
    )
  }

  return {
    // Nothing else may stand in the header: no jku, jwk, x5c, crit (RFC 8725 §3.1, §3.10).
    couldBe: ({ header }) =>
      header.alg === 'ES256' &&
      header.typ === 'at+jwt' &&
      typeof header.kid === 'string' &&
      Object.keys(header).every((name) => headerMembers.includes(name)),
    read: (token) => {
      if (!isOurs(token)) return { claims: null, refused: 'signature_invalid' }
      const claims = token.claims as unknown as AccessTokenClaims
      if (claims.iss !== issuer) return { claims, refused: 'other_issuer' }
      if (claims.aud !== audience) return { claims, refused: 'other_audience' }
      if (claims.exp <= now() / 1000) return { claims, refused: 'expired' }
      return { claims, refused: null }
    },
  }
}
