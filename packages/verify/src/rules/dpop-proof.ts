import type { ProofReason } from './proof-reasons.ts'
import { isModulus } from './rsa-key.ts'

/**
 * The rules of a DPoP proof (RFC 9449 §4) that need neither a clock nor cryptography. The server and the library for
 * data APIs share them.
 */

/** Signature algorithms of proofs: asymmetric ones only (§4.2). */
export const proofAlgorithms = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const
export type ProofAlgorithm = (typeof proofAlgorithms)[number]

/** Maximum difference in seconds between a proof's time and now; also the lifetime of our nonces. */
export const proofFreshness = 60

/** Characters; a proof with a key of 4096 bits has about 2,300. */
export const longestProof = 4096
const longestJti = 256
const longestUrl = 2048

/** A fault of the proof itself. */
export type ProofFault = Exclude<ProofReason, 'proof_stale'>

/** The key of a proof, without the other members of its header. */
export interface ProofKey {
  algorithm: ProofAlgorithm
  jwk: Record<string, string>
  /** The input of its thumbprint (RFC 7638 §3.3). */
  thumbprinted: string
}

/** The request that a proof must match. */
export interface ProofTarget {
  method: string
  /** As `normalUrl` returns it. */
  url: string
  /** SHA-256 of the access token, in base64url; null: the request has no access token. */
  tokenHash: string | null
}

/** The claims that decide whether a proof is fresh and new. */
export interface ProofTimes {
  jti: string
  /** Seconds since 1970. */
  iat: number
  nonce: string | null
}

type Members = Record<string, unknown>

// RFC 7515 §2, canonical spelling only: the unused bits of the last character are zero.
const base64url =
  /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])?$/
// RFC 7518 §6.2.2, §6.3.2, §6.4.1: these members disclose the private key.
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isProofAlgorithm = (alg: unknown): alg is ProofAlgorithm =>
  (proofAlgorithms as readonly unknown[]).includes(alg)

/** Is this a number in base64url? @param characters its exact length; null: any length */
const isNumber = (value: unknown, characters: number | null): value is string =>
  typeof value === 'string' &&
  base64url.test(value) &&
  (characters === null || value.length === characters)

const curves = { ES256: ['P-256', 43], ES384: ['P-384', 64] } as const

/** The members that define the key, in the order of RFC 7638 §3.2. */
const materialOf = (jwk: Members, algorithm: ProofAlgorithm): Record<string, string> | null => {
  const { kty, crv, x, y, e, n } = jwk
  switch (algorithm) {
    case 'ES256':
    case 'ES384': {
      const [curve, size] = curves[algorithm]
      const isRight = kty === 'EC' && crv === curve && isNumber(x, size) && isNumber(y, size)
      return isRight ? { crv: curve, kty, x, y } : null
    }
    case 'EdDSA':
    case 'Ed25519':
      return kty === 'OKP' && crv === 'Ed25519' && isNumber(x, 43) ? { crv, kty, x } : null
    case 'RS256':
    case 'PS256': {
      const isRight = kty === 'RSA' && e === 'AQAB' && isNumber(n, null) && isModulus(n)
      return isRight ? { e, kty, n } : null
    }
  }
}

/** Reads the key in the header of a proof (§4.3, 4 to 7). @returns the key, or the fault */
export const readProofHeader = ({ typ, alg, jwk, ...rest }: Members): ProofKey | ProofFault => {
  // RFC 7515 §4.1.11: no critical extension is supported.
  if (typ !== 'dpop+jwt' || Object.hasOwn(rest, 'crit')) return 'proof_malformed'
  if (!isProofAlgorithm(alg)) return 'proof_algorithm'
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return 'proof_key'
  if (privateMembers.some((member) => Object.hasOwn(jwk, member))) return 'proof_key'
  const material = materialOf(jwk as Members, alg)
  return material
    ? { algorithm: alg, jwk: material, thumbprinted: JSON.stringify(material) }
    : 'proof_key'
}

const unreserved = /[A-Za-z0-9\-._~]/

/** RFC 3986 §6.2.2: `%7e` and `~` are one, and so are `%2f` and `%2F`. */
const normalPath = (path: string) =>
  path.replaceAll(/%[0-9A-Fa-f]{2}/g, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return unreserved.test(character) ? character : escaped.toUpperCase()
  })

/**
 * Normalises a URL as proofs are compared (§4.3): without query and fragment (RFC 3986 §6.2.2, §6.2.3).
 * @returns null when it is not an HTTP URL
 */
export const normalUrl = (text: string): string | null => {
  if (text.length > longestUrl || !URL.canParse(text)) return null
  const { protocol, host, pathname, username, password } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password) return null
  return `${protocol}//${host}${normalPath(pathname)}`
}

/** Reads the claims of a proof (§4.3, 3 and 8 to 12). The caller judges the times. @returns the times, or the fault */
export const readProofClaims = (claims: Members, target: ProofTarget): ProofTimes | ProofFault => {
  const { jti, htm, htu, iat, nonce, ath } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > longestJti) return 'proof_malformed'
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'proof_malformed'
  if (nonce !== undefined && typeof nonce !== 'string') return 'proof_malformed'
  if (htm !== target.method) return 'proof_method'
  if (typeof htu !== 'string' || normalUrl(htu) !== target.url) return 'proof_url'
  if (target.tokenHash !== null && ath !== target.tokenHash) return 'proof_token'
  return { jti, iat, nonce: nonce ?? null }
}

/** @param at seconds since 1970 */
export const isFresh = (iat: number, at: number) => Math.abs(at - iat) <= proofFreshness

/** Is this a thumbprint (RFC 7638 §3), as in `dpop_jkt`? */
export const isThumbprint = (text: string) => text.length === 43 && base64url.test(text)
