import { createHash } from 'node:crypto'
import type { SignIn } from '../clients/openid.ts'
import { contextClass, methodReferences } from '../people/sign-in-method.ts'
import type { AccessTokenSubject } from './access-token-claims.ts'

/** Seconds. An ID token gives no access, so a shorter life gains nothing. */
const idTokenLifetime = 3600

/** The signed-in user and the sign-in, for the app itself. */
export interface IdTokenClaims {
  iss: string
  /** The same for every app: apps of one organization work with the same users. */
  sub: string
  aud: string
  exp: number
  iat: number
  auth_time?: number
  nonce?: string
  acr: string
  amr?: string[]
  at_hash: string
  organization_id: string
}

/** OpenID Connect Core §3.1.3.6: the left half of the digest of the signature algorithm (ES256: SHA-256). */
const halfDigest = (text: string) =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

/**
 * The claims of OpenID Connect Core §2. Only userinfo returns name and e-mail address: an ID token passes through
 * address bars again as `id_token_hint`.
 * @param issuedAt seconds since 1970
 */
export const idTokenClaims = (
  subject: AccessTokenSubject & { kind: 'user' },
  { nonce, authenticatedAt, methods }: SignIn,
  context: { issuer: string; issuedAt: number; accessToken: string },
): IdTokenClaims => {
  const amr = methodReferences(methods)
  return {
    iss: context.issuer,
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
