import {
  checkPrimeSync,
  constants,
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateEncrypt,
  sign,
} from 'node:crypto'
import { type Curve, curves, inverse, signDeterministically, toBytes, toNumber } from './ecdsa.ts'

/** A key of the vectors. It is computed from words, so the repository contains no private key. */
export interface Key {
  alg: 'ES256' | 'ES384' | 'EdDSA' | 'RS256' | 'PS256'
  /** The public members alone. */
  jwk: Record<string, string>
  /** RFC 7638. */
  thumbprint: string
  privateKey: KeyObject
  /** The signature of a JWS, the same one each time. */
  sign(input: string): Buffer
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** Bytes that depend on the words alone. */
const bytesOf = (words: string, size: number): Buffer =>
  createHash('shake256', { outputLength: size }).update(`latchkey vectors: ${words}`).digest()

/** @param members in the order of RFC 7638 §3.2 */
const thumbprintOf = (members: Record<string, string>) =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url')

const secretOf = (words: string, { order, size }: Curve): Buffer =>
  toBytes((toNumber(bytesOf(words, size)) % (order - 1n)) + 1n, size)

export const ecKey = (words: string, alg: 'ES256' | 'ES384' = 'ES256'): Key => {
  const curve = curves[alg]
  const secret = secretOf(words, curve)
  const pair = createECDH(curve.name)
  pair.setPrivateKey(secret)
  const point = pair.getPublicKey()
  const x = base64url(point.subarray(1, 1 + curve.size))
  const y = base64url(point.subarray(1 + curve.size))
  const jwk = { crv: curve.crv, kty: 'EC', x, y }
  return {
    alg,
    jwk,
    thumbprint: thumbprintOf(jwk),
    privateKey: createPrivateKey({ key: { ...jwk, d: base64url(secret) }, format: 'jwk' }),
    sign: (input) => signDeterministically(secret, curve, input),
  }
}

export const edKey = (words: string): Key => {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex') // RFC 8410 §7
  const der = Buffer.concat([head, bytesOf(words, 32)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const jwk = { crv: 'Ed25519', kty: 'OKP', x }
  return {
    alg: 'EdDSA',
    jwk,
    thumbprint: thumbprintOf(jwk),
    privateKey,
    sign: (input) => sign(null, Buffer.from(input), privateKey),
  }
}

const exponent = 65_537n

/** The first prime from a number that depends on the words. Its two highest bits are set, so products have full length. */
const primeOf = (words: string, bytes: number): bigint => {
  const start = bytesOf(words, bytes)
  start[0] = (start[0] as number) | 0xc0
  let prime = toNumber(start) | 1n
  while (prime % exponent === 1n || !checkPrimeSync(prime)) prime += 2n
  return prime
}

const mgf1 = (seed: Buffer, size: number): Buffer => {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, at) =>
    createHash('sha256')
      .update(Buffer.concat([seed, toBytes(BigInt(at), 4)]))
      .digest(),
  )
  return Buffer.concat(blocks).subarray(0, size)
}

/** RSASSA-PSS with a salt that depends on the input, so that the signature does too (RFC 8017 §9.1.1). */
const signPss = (key: KeyObject, input: string, size: number): Buffer => {
  const salt = bytesOf(`salt of ${input}`, 32)
  const digest = createHash('sha256').update(input).digest()
  const hash = createHash('sha256')
    .update(Buffer.concat([Buffer.alloc(8), digest, salt]))
    .digest()
  const plain = Buffer.concat([Buffer.alloc(size - 66), Buffer.from([1]), salt])
  const mask = mgf1(hash, plain.length)
  const masked = plain.map((byte, at) => byte ^ (mask[at] as number))
  masked[0] = (masked[0] as number) & 0x7f
  const encoded = Buffer.concat([masked, hash, Buffer.from([0xbc])])
  return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded)
}

export const rsaKey = (words: string, alg: 'RS256' | 'PS256' = 'RS256', bits = 2048): Key => {
  const size = bits / 8
  const [p, q] = [primeOf(`${words}, p`, size / 2), primeOf(`${words}, q`, size / 2)] as const
  const d = inverse(exponent, (p - 1n) * (q - 1n))
  const text = (number: bigint, bytes: number) => base64url(toBytes(number, bytes))
  const jwk = { e: 'AQAB', kty: 'RSA', n: text(p * q, size) }
  const half = size / 2
  const privateKey = createPrivateKey({
    key: {
      ...jwk,
      d: text(d, size),
      p: text(p, half),
      q: text(q, half),
      dp: text(d % (p - 1n), half),
      dq: text(d % (q - 1n), half),
      qi: text(inverse(q, p), half),
    },
    format: 'jwk',
  })
  return {
    alg,
    jwk,
    thumbprint: thumbprintOf(jwk),
    privateKey,
    sign: (input) =>
      alg === 'PS256'
        ? signPss(privateKey, input, size)
        : sign('sha256', Buffer.from(input), privateKey),
  }
}
