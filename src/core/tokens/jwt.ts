import { sign, verify } from 'node:crypto'
import { fromDer, toDer } from '#verify/rules/ecdsa-signature'
import type { CompactJws } from '../crypto/compact-jws.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Bytes of r, and of s (RFC 7518 §3.4). */
const p256Size = 32

/** Makes a function that signs claims as a JWT of one type (ES256) with the active key. */
export const createJwtSigner = (
  signingKeys: Pick<SigningKeys, 'active'>,
  typ: 'at+jwt' | 'JWT',
): ((claims: object) => string) => {
  const headers = new Map<string, string>()

  const headerOf = (kid: string, alg: string) => {
    const known = headers.get(kid)
    if (known) return known
    const text = Buffer.from(JSON.stringify({ alg, typ, kid })).toString('base64url')
    headers.set(kid, text)
    return text
  }

  return (claims) => {
    const { kid, alg, privateKey } = signingKeys.active()
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const input = `${headerOf(kid, alg)}.${body}`
    // Synchronous: a key object signs in 25 µs.
    const signature = fromDer(sign('sha256', Buffer.from(input, 'latin1'), privateKey), p256Size)
    return `${input}.${Buffer.from(signature.buffer).toString('base64url')}`
  }
}

const headerMembers = ['alg', 'kid', 'typ']

/**
 * Does the token have the header of our JWTs of this type? No other members are allowed: no jku, jwk, x5c, crit (RFC 8725
 * §3.1, §3.10).
 */
export const hasOwnHeader = ({ header }: CompactJws, typ: 'at+jwt' | 'JWT') =>
  header.alg === 'ES256' &&
  header.typ === typ &&
  typeof header.kid === 'string' &&
  Object.keys(header).every((name) => headerMembers.includes(name))

/** Is the token signed with one of our published keys? */
export const isSignedByUs = (
  signingKeys: Pick<SigningKeys, 'publicKey'>,
  { header, signingInput, signature }: CompactJws,
) => {
  const key = signingKeys.publicKey(header.kid as string)
  if (!key || signature.length !== 2 * p256Size) return false
  return verify('sha256', Buffer.from(signingInput), key, toDer(signature))
}
