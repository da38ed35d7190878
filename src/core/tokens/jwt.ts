import { sign, verify } from 'node:crypto'
import { fromDer, toDer } from '#verify/rules/ecdsa-signature'
import { signingAlgorithms } from '../clients/signing-algorithm.ts'
import type { CompactJws } from '../crypto/compact-jws.ts'
import type { ActiveKey, SigningKeys } from './signing-keys.ts'

/** Bytes of r, and of s (RFC 7518 §3.4). */
const p256Size = 32

/** RFC 7515 §A.3: the numbers of ECDSA, not their DER. */
const signatureOf = (input: string, { alg, privateKey }: ActiveKey): Buffer => {
  const made = sign('sha256', Buffer.from(input, 'latin1'), privateKey)
  if (alg === 'RS256') return made
  return Buffer.from(fromDer(made, p256Size).buffer)
}

const headerOf = (typ: string, { kid, alg }: Pick<ActiveKey, 'kid' | 'alg'>) =>
  JSON.stringify({ alg, typ, kid })

/** Characters of base64url without padding. */
const encodedLength = (bytes: number) => Math.ceil((bytes * 4) / 3)

/** Characters that the JWT has when it is signed with this ES256 key. */
export const jwtLength = (typ: 'at+jwt' | 'JWT', key: ActiveKey, claims: object): number => {
  const parts = [headerOf(typ, key), JSON.stringify(claims)].map((text) => Buffer.byteLength(text))
  return [...parts, 2 * p256Size].reduce((sum, bytes) => sum + encodedLength(bytes), 2)
}

/** Makes a function that signs claims as a JWT of one type, with the active ES256 key or a given one. */
export const createJwtSigner = (
  signingKeys: Pick<SigningKeys, 'active'>,
  typ: string,
): ((claims: object, key?: ActiveKey) => string) => {
  const headers = new Map<string, string>()

  const encodedHeader = (key: ActiveKey) => {
    const known = headers.get(key.kid)
    if (known) return known
    const text = Buffer.from(headerOf(typ, key)).toString('base64url')
    headers.set(key.kid, text)
    return text
  }

  return (claims, key = signingKeys.active()) => {
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const input = `${encodedHeader(key)}.${body}`
    // Synchronous: a key object signs in 25 µs, an RSA key in 600 µs.
    return `${input}.${signatureOf(input, key).toString('base64url')}`
  }
}

const headerMembers = ['alg', 'kid', 'typ']

const algorithmsFor: Record<'at+jwt' | 'JWT', readonly unknown[]> = {
  'at+jwt': ['ES256'],
  JWT: signingAlgorithms,
}

/**
 * Does the token have the header of our JWTs of this type? No other members are allowed: no jku, jwk, x5c, crit (RFC 8725
 * §3.1, §3.10).
 */
export const hasOwnHeader = ({ header }: CompactJws, typ: 'at+jwt' | 'JWT') =>
  algorithmsFor[typ].includes(header.alg) &&
  header.typ === typ &&
  typeof header.kid === 'string' &&
  Object.keys(header).every((name) => headerMembers.includes(name))

/** Is the token signed with one of our published keys? */
export const isSignedByUs = (
  signingKeys: Pick<SigningKeys, 'publicKey'>,
  { header, signingInput, signature }: CompactJws,
) => {
  const key = signingKeys.publicKey(header.kid as string)
  const isRsa = header.alg === 'RS256'
  // RFC 8725 §3.1: the key decides the algorithm, never the token alone.
  if (!key || isRsa !== (key.asymmetricKeyType === 'rsa')) return false
  if (isRsa) return verify('sha256', Buffer.from(signingInput), key, signature)
  if (signature.length !== 2 * p256Size) return false
  return verify('sha256', Buffer.from(signingInput), key, toDer(signature))
}
