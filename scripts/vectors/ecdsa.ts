import { createECDH, createHash, createHmac } from 'node:crypto'

/** A curve with the hash of its JWS algorithm, which has the length of the curve's order (RFC 7518 §3.4). */
export interface Curve {
  /** As OpenSSL names it. */
  name: string
  crv: 'P-256' | 'P-384'
  order: bigint
  /** Bytes of r, and of s. */
  size: number
  hash: 'sha256' | 'sha384'
}

export const curves = {
  ES256: {
    name: 'prime256v1',
    crv: 'P-256',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    size: 32,
    hash: 'sha256',
  },
  ES384: {
    name: 'secp384r1',
    crv: 'P-384',
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    size: 48,
    hash: 'sha384',
  },
} as const satisfies Record<string, Curve>

export const toNumber = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

export const toBytes = (number: bigint, size: number): Buffer =>
  Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex')

/** The inverse of a number modulo another one, by Euclid. */
export const inverse = (number: bigint, modulus: bigint): bigint => {
  let [a, b, x, y] = [((number % modulus) + modulus) % modulus, modulus, 1n, 0n]
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x]
  return ((x % modulus) + modulus) % modulus
}

/** The secret numbers `k` for a message, in their order (RFC 6979 §3.2). */
function* nonces(secret: Buffer, digest: Buffer, { order, size, hash }: Curve) {
  const mac = (key: Buffer, ...parts: Buffer[]) =>
    createHmac(hash, key).update(Buffer.concat(parts)).digest()
  const seed = Buffer.concat([secret, toBytes(toNumber(digest) % order, size)])
  let value = Buffer.alloc(size, 1)
  let key: Buffer = Buffer.alloc(size, 0)
  for (const step of [0, 1]) {
    key = mac(key, value, Buffer.from([step]), seed)
    value = mac(key, value)
  }
  for (;;) {
    value = mac(key, value)
    yield toNumber(value)
    key = mac(key, value, Buffer.from([0]))
    value = mac(key, value)
  }
}

/** x of the point `k` times the generator. */
const xOf = (k: Buffer, { name, size }: Curve): bigint => {
  const point = createECDH(name)
  point.setPrivateKey(k)
  return toNumber(point.getPublicKey().subarray(1, 1 + size))
}

/**
 * Signs a text, always with the same result (RFC 6979). Node's signatures are random, and vectors could not be compared
 * with those that the program makes.
 * @param secret the private key, of the size of the curve
 * @returns r and s
 */
export const signDeterministically = (secret: Buffer, curve: Curve, text: string): Buffer => {
  const { order, size, hash } = curve
  const digest = createHash(hash).update(text, 'latin1').digest()
  for (const k of nonces(secret, digest, curve)) {
    if (k === 0n || k >= order) continue
    const r = xOf(toBytes(k, size), curve) % order
    const s = (inverse(k, order) * (toNumber(digest) + r * toNumber(secret))) % order
    if (r !== 0n && s !== 0n) return Buffer.concat([toBytes(r, size), toBytes(s, size)])
  }
  throw new Error('there are always further numbers')
}
