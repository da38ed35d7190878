// Public keys of other servers and clients, for signatures (RFC 7517).
import { importJWK, type JWK } from 'jose'
import type { Fault } from '../language/faults.ts'

/** Signature algorithms of assertions, by key type (RFC 7518 §3.1, RFC 8037 §3.1). */
export const algorithmsByKeyType = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  EC: ['ES256', 'ES384', 'ES512'],
  OKP: ['EdDSA', 'Ed25519'],
} as const

/** Every algorithm of an assertion: asymmetric ones only. */
export const assertionAlgorithms: string[] = Object.values(algorithmsByKeyType).flat()

type KeyType = keyof typeof algorithmsByKeyType

const curveAlgorithms: Record<string, string> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
}

/** Members of a public key that this server reads, beside `kty` and `key_ops`: texts (RFC 7517 §4, RFC 7518 §6). */
const textMembers = ['kid', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y']
const publicMembers = ['kty', 'key_ops', ...textMembers]
const keyText = /^[\x20-\x7e]{0,2000}$/

/** Only what a signature needs: other members may be large, nested or of no store. */
export const publicPart = (jwk: JWK): JWK =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => publicMembers.includes(name)))

// RFC 7518 §6.2.2, §6.3.2, §6.4.1: these members disclose the private key.
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const shortestModulus = 2048 // bits, RFC 7518 §3.3
const longestModulus = 8192

const isKeyType = (kty: unknown): kty is KeyType =>
  typeof kty === 'string' && Object.hasOwn(algorithmsByKeyType, kty)

const algorithmOf = (jwk: JWK, kty: KeyType): string | null => {
  const algorithms: readonly string[] = algorithmsByKeyType[kty]
  if (jwk.alg !== undefined) return algorithms.includes(jwk.alg) ? jwk.alg : null
  const algorithm = kty === 'RSA' ? 'RS256' : curveAlgorithms[jwk.crv ?? '']
  return algorithm && algorithms.includes(algorithm) ? algorithm : null
}

const isPublicKey = async (jwk: JWK, algorithm: string) => {
  try {
    const key = await importJWK(jwk, algorithm)
    return !(key instanceof Uint8Array) && key.type === 'public'
  } catch {
    return false
  }
}

const isKeyText = (value: unknown) => typeof value === 'string' && keyText.test(value)

/** A key of another server may have values of any type. */
const shapeFaults = (jwk: JWK, pointer: string): Fault[] => {
  const members = Object.entries(jwk)
  const wrong = members.find(([name, value]) => textMembers.includes(name) && !isKeyText(value))
  if (wrong) return [{ pointer: `${pointer}/${wrong[0]}`, detail: 'must be a short text' }]
  const { key_ops: operations = [] } = jwk
  return Array.isArray(operations) && operations.length <= 8 && operations.every(isKeyText)
    ? []
    : [{ pointer: `${pointer}/key_ops`, detail: 'must be a list of texts' }]
}

/** The rules that a public key for signatures breaks. @param pointer of the key (RFC 6901) */
export const publicKeyFaults = async (jwk: JWK, pointer: string): Promise<Fault[]> => {
  const secret = privateMembers.find((member) => Object.hasOwn(jwk, member))
  if (secret) return [{ pointer: `${pointer}/${secret}`, detail: 'is part of a private key' }]
  const shape = shapeFaults(jwk, pointer)
  if (shape.length > 0) return shape
  if (!isKeyType(jwk.kty)) return [{ pointer: `${pointer}/kty`, detail: 'must be RSA, EC or OKP' }]
  const algorithm = algorithmOf(jwk, jwk.kty)
  if (!algorithm) return [{ pointer, detail: 'is not for a supported signature algorithm' }]
  if (jwk.use !== undefined && jwk.use !== 'sig')
    return [{ pointer: `${pointer}/use`, detail: 'must be sig' }]
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes('verify'))
    return [{ pointer: `${pointer}/key_ops`, detail: 'must have verify' }]
  if (jwk.kty === 'RSA') {
    const bits = Buffer.from(jwk.n ?? '', 'base64url').length * 8
    if (bits < shortestModulus || bits > longestModulus)
      return [
        {
          pointer: `${pointer}/n`,
          detail: `must have ${shortestModulus} to ${longestModulus} bits`,
        },
      ]
  }
  return (await isPublicKey(jwk, algorithm)) ? [] : [{ pointer, detail: 'is not a valid key' }]
}
