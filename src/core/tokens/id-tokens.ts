import type { SignIn } from '../clients/openid.ts'
import type { SigningAlgorithm } from '../clients/signing-algorithm.ts'
import { readCompactJws } from '../crypto/compact-jws.ts'
import type { AccessTokenSubject } from './access-token-claims.ts'
import { idTokenClaims } from './id-token-claims.ts'
import { createJwtSigner, hasOwnHeader, isSignedByUs } from './jwt.ts'
import type { ActiveKey, SigningKeys } from './signing-keys.ts'

/** The content of an ID token that an app sends as `id_token_hint`. */
export interface IdTokenHint {
  clientId: string
  userId: string
  isExpired: boolean
}

export interface IdTokens {
  /** The key for an app's ID tokens, made at its first use. @throws StoreUnavailable */
  keyFor(alg: SigningAlgorithm): ActiveKey | Promise<ActiveKey>
  /** Signs an ID token (OpenID Connect Core §2) for the user of this access token. @param key ES256 by default */
  issue(
    subject: AccessTokenSubject & { kind: 'user' },
    signIn: SignIn,
    accessToken: string,
    key?: ActiveKey,
  ): string
  /** Verifies an ID token of this server. @returns null for anything else, access tokens included */
  readHint(text: string): IdTokenHint | null
}

export const createIdTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'active' | 'activeFor' | 'publicKey'>
  issuer: string
  /** Milliseconds since 1970. */
  now: () => number
}): IdTokens => {
  const { signingKeys, issuer, now } = deps
  const signed = createJwtSigner(signingKeys, 'JWT')

  return {
    keyFor: (alg) => signingKeys.activeFor(alg),

    issue: (subject, signIn, accessToken, key) =>
      signed(
        idTokenClaims(subject, signIn, {
          issuer,
          issuedAt: Math.floor(now() / 1000),
          accessToken,
        }),
        key,
      ),

    readHint: (text) => {
      const token = readCompactJws(text)
      if (!token || !hasOwnHeader(token, 'JWT') || !isSignedByUs(signingKeys, token)) return null
      const { iss, aud, sub, exp } = token.claims
      if (iss !== issuer || typeof aud !== 'string' || typeof sub !== 'string') return null
      return { clientId: aud, userId: sub, isExpired: Number(exp) <= now() / 1000 }
    },
  }
}
