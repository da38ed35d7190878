import { importJWK, type JWK } from 'jose'
import type { Fault } from '../language/faults.ts'

export interface ClientJwks {
  keys: object[]
}

export const mostKeys = 10

/** Signature algorithms of client assertions, by key type (RFC 7518 §3.1, RFC 8037 §3.1). */
export const assertionAlgorithms = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  EC: ['ES256', 'ES384', 'ES512'],
  OKP: ['EdDSA', 'Ed25519'],
} as const

type KeyType = keyof typeof assertionAlgorithms

const curveAlgorithms: Record<string, string> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
}

// RFC 7518 §6.2.2, §6.3.2, §6.4.1: these members disclose the private key.
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const shortestModulus = 2048 // bits, RFC 7518 §3.3
const longestModulus = 8192

const isKeyType = (kty: unknown): kty is KeyType =>
  typeof kty === 'string' && Object.hasOwn(assertionAlgorithms, kty)

const algorithmOf = (jwk: JWK, kty: KeyType): string | null => {
  const algorithms: readonly string[] = assertionAlgorithms[kty]
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

const keyFaults = async (jwk: JWK, pointer: string): Promise<Fault[]> => {
  const secret = privateMembers.find((member) => Object.hasOwn(jwk, member))
  if (secret) return [{ pointer: `${pointer}/${secret}`, detail: 'is part of a private key' }]
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

/** Checks the public keys that verify a client's assertions (RFC 7517 §5, RFC 7523). */
export const jwksFaults = async (jwks: ClientJwks | null | undefined): Promise<Fault[]> => {
  if (!jwks) return []
  if (jwks.keys.length === 0 || jwks.keys.length > mostKeys)
    return [{ pointer: '/jwks/keys', detail: `needs 1 to ${mostKeys} keys` }]
  const faults = await Promise.all(
    jwks.keys.map((key, index) => keyFaults(key as JWK, `/jwks/keys/${index}`)),
  )
  return faults.flat()
}
