import type { JsonWebKey, KeyObject } from 'node:crypto'
import { isObject, isText, type JsonObject } from './json.ts'
import { decodeBase64url, encodeText, nodeCrypto } from './platform.ts'
import { toDer } from './rules/ecdsa-signature.ts'
import { isExponent, isModulus } from './rules/rsa-key.ts'

/** A public key with its algorithm: the key decides the algorithm, never the token (RFC 8725 §3.1). */
export interface VerifyingKey {
  kid: string
  alg: string
  /** Distinguishes keys with the same id. */
  material: string
  /** @param signature base64url */
  verify(input: string, signature: string): boolean | Promise<boolean>
}

interface Algorithm {
  /** Fixed members of the JWK and their required values. */
  fixed: Record<string, string>
  variable: string[]
  /** For node:crypto. */
  hash: string | null
  /** For Web Crypto. */
  imported: { name: string; namedCurve?: string; hash?: string }
  used: { name: string; hash?: string; saltLength?: number }
  /** Bytes; RFC 7518 §3.4, RFC 8037 §3.1. */
  signatureLength: number | null
}

const ed25519: Algorithm = {
  fixed: { kty: 'OKP', crv: 'Ed25519' },
  variable: ['x'],
  hash: null,
  imported: { name: 'Ed25519' },
  used: { name: 'Ed25519' },
  signatureLength: 64,
}

const algorithms: Record<string, Algorithm> = {
  ES256: {
    fixed: { kty: 'EC', crv: 'P-256' },
    variable: ['x', 'y'],
    hash: 'sha256',
    imported: { name: 'ECDSA', namedCurve: 'P-256' },
    used: { name: 'ECDSA', hash: 'SHA-256' },
    signatureLength: 64,
  },
  ES384: {
    fixed: { kty: 'EC', crv: 'P-384' },
    variable: ['x', 'y'],
    hash: 'sha384',
    imported: { name: 'ECDSA', namedCurve: 'P-384' },
    used: { name: 'ECDSA', hash: 'SHA-384' },
    signatureLength: 96,
  },
  EdDSA: ed25519,
  Ed25519: ed25519,
  RS256: {
    fixed: { kty: 'RSA' },
    variable: ['n', 'e'],
    hash: 'sha256',
    imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    used: { name: 'RSASSA-PKCS1-v1_5' },
    signatureLength: null,
  },
  PS256: {
    fixed: { kty: 'RSA' },
    variable: ['n', 'e'],
    hash: 'sha256',
    imported: { name: 'RSA-PSS', hash: 'SHA-256' },
    used: { name: 'RSA-PSS', saltLength: 32 },
    signatureLength: null,
  },
}

const issued = ['ES256', 'EdDSA', 'Ed25519', 'RS256']

/** True for the algorithms that an issued token may name. */
export const isIssuedAlgorithm = (alg: string) => issued.includes(alg)

type Check = (input: string, signature: Uint8Array<ArrayBuffer>) => boolean | Promise<boolean>

/** Synchronous, because handing 50 µs of work to another thread costs more than doing it. */
const nodeCheck = (
  crypto: typeof import('node:crypto'),
  jwk: JsonObject,
  { hash, fixed, used: { saltLength } }: Algorithm,
) => {
  const key: KeyObject = crypto.createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const padding = crypto.constants.RSA_PKCS1_PSS_PADDING
  // Node 24 needs 10 µs more for a key with options.
  const options = saltLength === undefined ? key : { key, padding, saltLength }
  const isEcdsa = fixed.kty === 'EC'
  return (input: string, signature: Uint8Array) =>
    crypto.verify(
      hash,
      Buffer.from(input, 'latin1'),
      options,
      isEcdsa ? toDer(signature) : signature,
    )
}

const webCheck = async (jwk: JsonObject, { imported, used }: Algorithm): Promise<Check> => {
  const key = await crypto.subtle.importKey('jwk', jwk, imported, false, ['verify'])
  return (input, signature) => crypto.subtle.verify(used, key, signature, encodeText(input))
}

/** The algorithm of the key. A P-256 key may omit it. */
const algorithmOf = ({ alg, kty, crv }: JsonObject): string | null => {
  if (alg === undefined && kty === 'EC' && crv === 'P-256') return 'ES256'
  return isText(alg) && isIssuedAlgorithm(alg) ? alg : null
}

const isForVerifying = ({ use, key_ops, d }: JsonObject) =>
  (use === undefined || use === 'sig') &&
  (key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'))) &&
  d === undefined

const isBounded = ({ kty, n, e }: JsonObject) =>
  kty !== 'RSA' || (isText(n) && isModulus(n) && isText(e) && isExponent(e))

/** The key material without other members. @returns null when a member is wrong */
const materialOf = (jwk: JsonObject, { fixed, variable }: Algorithm): JsonObject | null => {
  const isRight =
    Object.entries(fixed).every(([name, value]) => jwk[name] === value) &&
    variable.every((name) => isText(jwk[name])) &&
    isBounded(jwk)
  return isRight
    ? { ...fixed, ...Object.fromEntries(variable.map((name) => [name, jwk[name]])) }
    : null
}

/**
 * @param material the key material, valid for the algorithm
 * @param node node:crypto, or null for Web Crypto
 * @returns a function that verifies signatures in base64url
 * @throws Error for a key that is not on the curve or not supported by the runtime
 */
export const signatureCheck = async (
  alg: string,
  material: JsonObject,
  node: typeof import('node:crypto') | null = nodeCrypto ?? null,
): Promise<VerifyingKey['verify']> => {
  const algorithm = algorithms[alg] as Algorithm
  const check: Check = node
    ? nodeCheck(node, material, algorithm)
    : await webCheck(material, algorithm)
  const { signatureLength } = algorithm
  return (input, text) => {
    const signature = decodeBase64url(text)
    if (signatureLength !== null && signature.length !== signatureLength) return false
    return check(input, signature)
  }
}

/**
 * Reads one key of a key set (RFC 7517).
 * @param node node:crypto, or null for Web Crypto
 * @returns null for an unusable key
 */
export const readKey = async (
  jwk: unknown,
  node: typeof import('node:crypto') | null = nodeCrypto ?? null,
): Promise<VerifyingKey | null> => {
  if (!isObject(jwk) || !isText(jwk.kid) || !isForVerifying(jwk)) return null
  const alg = algorithmOf(jwk)
  const algorithm = alg && algorithms[alg]
  const material = algorithm && materialOf(jwk, algorithm)
  if (!alg || !algorithm || !material) return null
  try {
    return {
      kid: jwk.kid,
      alg,
      material: JSON.stringify(material),
      verify: await signatureCheck(alg, material, node),
    }
  } catch {
    return null // not on the curve, too short, or not supported by the runtime
  }
}
