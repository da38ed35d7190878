import { createHash } from 'node:crypto'
import type { SignIn } from '../clients/openid.ts'
import type { SigningAlgorithm } from '../clients/signing-algorithm.ts'
import { readCompactJws } from '../crypto/compact-jws.ts'
import { contextClass, methodReferences } from '../people/sign-in-method.ts'
import type { AccessTokenSubject } from './access-token-claims.ts'
import { createJwtSigner, hasOwnHeader, isSignedByUs } from './jwt.ts'
import type { ActiveKey, SigningKeys } from './signing-keys.ts'

/** Seconds. An ID token gives no access, so a shorter life gains nothing. */
const idTokenLifetime = 3600

type UserSubject = AccessTokenSubject & { kind: 'user' }

/** OpenID Connect Core §3.1.3.6: the left half of the digest of the signature algorithm (ES256: SHA-256). */
const halfDigest = (text: string) =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

/**
 * The claims of OpenID Connect Core §2. Only userinfo returns name and e-mail address: an ID token passes through
 * address bars again as `id_token_hint`.
 * @param issuedAt seconds since 1970
 */
const claimsOf = (
  subject: UserSubject,
  { nonce, authenticatedAt, methods }: SignIn,
  context: { issuer: string; issuedAt: number; accessToken: string },
) => {
  const amr = methodReferences(methods)
  return {
    iss: context.issuer,
    // The same for every app: apps of one organization work with the same users.
    sub: subject.userId,
    aud: subject.clientId,
    exp: context.issuedAt + idTokenLifetime,
    iat: context.issuedAt,
    ...(authenticatedAt !== null && { auth_time: authenticatedAt }),
    ...(nonce !== null && { nonce }),
    acr: contextClass(methods),
    ...(amr.length > 0 && { amr }),
    at_hash: halfDigest(context.accessToken),
    organization_id: subject.organizationId,
  }
}

export const createIdTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'active' | 'activeFor' | 'publicKey'>
  issuer: string
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { signingKeys, issuer, now } = deps
  const signed = createJwtSigner(signingKeys, 'JWT')

  return {
    /** The key for an app's ID tokens, made at its first use. @throws StoreUnavailable */
    keyFor: (alg: SigningAlgorithm) => signingKeys.activeFor(alg),

    /** Signs an ID token (OpenID Connect Core §2) for the user of this access token. @param key ES256 by default */
    issue: (subject: UserSubject, signIn: SignIn, accessToken: string, key?: ActiveKey) => {
      const issuedAt = Math.floor(now() / 1000)
      return signed(claimsOf(subject, signIn, { issuer, issuedAt, accessToken }), key)
    },

    /** Verifies an `id_token_hint` that this server issued. @returns null for anything else, access tokens included */
    readHint: (text: string) => {
      const token = readCompactJws(text)
      if (!token || !hasOwnHeader(token, 'JWT') || !isSignedByUs(signingKeys, token)) return null
      const { iss, aud, sub } = token.claims
      if (iss !== issuer || typeof aud !== 'string' || typeof sub !== 'string') return null
      return { clientId: aud, userId: sub }
    },
  }
}

export type IdTokens = ReturnType<typeof createIdTokens>
