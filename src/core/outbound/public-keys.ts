// Public keys of other servers and clients, for signatures (RFC 7517).
import { importJWK, type JWK } from 'jose'
import { type Fault, faultAt } from '../language/faults.ts'

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
const longestModulus = 4096 // a larger one costs too much CPU time
const wrongModulus = `must be odd and have ${shortestModulus} to ${longestModulus} bits`
/** Characters of base64url: 32 bits. A verification costs as many multiplications as the exponent has bits. */
const longestExponent = 6
/** The same for a modulus of `longestModulus`, with a leading zero byte. */
const longestModulusText = 684

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
  if (wrong) return [faultAt(`${pointer}/${wrong[0]}`, 'jwks', 'must be a short text')]
  const { key_ops: operations = [] } = jwk
  return Array.isArray(operations) && operations.length <= 8 && operations.every(isKeyText)
    ? []
    : [faultAt(`${pointer}/key_ops`, 'jwks', 'must be a list of texts')]
}

const numberOf = (text: string | undefined) =>
  BigInt(`0x0${Buffer.from(text ?? '', 'base64url').toString('hex')}`)

/**
 * False for an RSA key whose numbers are so large that verifying with it occupies a thread: one registered before there
 * was a bound may be. Costs nothing, unlike `publicKeyFaults`.
 */
export const isBounded = ({ kty, n = '', e = '' }: JWK): boolean =>
  kty !== 'RSA' || (n.length <= longestModulusText && e.length <= longestExponent)

const rsaFaults = ({ n, e = '' }: JWK, pointer: string): Fault[] => {
  const modulus = numberOf(n)
  const bits = modulus.toString(2).length
  if (bits < shortestModulus || bits > longestModulus || !isOdd(modulus))
    return [faultAt(`${pointer}/n`, 'jwks', wrongModulus)]
  const exponent = numberOf(e)
  return e.length <= longestExponent && exponent >= 3n && isOdd(exponent)
    ? []
    : [faultAt(`${pointer}/e`, 'jwks', 'must be an odd number from 3, of at most 32 bits')]
}

const isOdd = (value: bigint) => value % 2n === 1n

/** The rules that a public key for signatures breaks. @param pointer of the key (RFC 6901) */
export const publicKeyFaults = async (jwk: JWK, pointer: string): Promise<Fault[]> => {
  const secret = privateMembers.find((member) => Object.hasOwn(jwk, member))
  if (secret) return [faultAt(`${pointer}/${secret}`, 'jwks', 'is part of a private key')]
  const shape = shapeFaults(jwk, pointer)
  if (shape.length > 0) return shape
  if (!isKeyType(jwk.kty)) return [faultAt(`${pointer}/kty`, 'jwks', 'must be RSA, EC or OKP')]
  const algorithm = algorithmOf(jwk, jwk.kty)
  if (!algorithm) return [faultAt(pointer, 'jwks', 'is not for a supported signature algorithm')]
  if (jwk.use !== undefined && jwk.use !== 'sig')
    return [faultAt(`${pointer}/use`, 'jwks', 'must be sig')]
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes('verify'))
    return [faultAt(`${pointer}/key_ops`, 'jwks', 'must have verify')]
  const sizes = jwk.kty === 'RSA' ? rsaFaults(jwk, pointer) : []
  if (sizes.length > 0) return sizes
  return (await isPublicKey(jwk, algorithm)) ? [] : [faultAt(pointer, 'jwks', 'is not a valid key')]
}

const mostKeys = 100

/**
 * The keys of a key set of another server that may verify signatures (RFC 7517 §5): others, such as keys for encryption
 * or of excessive size, are left out. null: it is no list, or is too long.
 */
export const usableKeys = async (keys: unknown): Promise<JWK[] | null> => {
  if (!Array.isArray(keys) || keys.length > mostKeys) return null
  const objects = keys.filter((key): key is JWK => typeof key === 'object' && key !== null)
  const faults = await Promise.all(objects.map((key) => publicKeyFaults(key, '')))
  return objects.filter((_, index) => faults[index]?.length === 0).map(publicPart)
}
