// ECDSA signatures have two forms: r and s side by side in JWS (RFC 7518 §3.4), and DER in OpenSSL (RFC 3279 §2.2.3).
// Node can convert them, but since OpenSSL 3.5 the conversion takes as long as the signature itself.

const sequence = 0x30
const integer = 0x02
const signBit = 0x80

/**
 * Writes an integer in DER: without leading zeros, except one that keeps it positive.
 * @returns the position after it
 */
const writeInteger = (der: Uint8Array, at: number, number: Uint8Array): number => {
  let zeros = 0
  while (zeros < number.length - 1 && number[zeros] === 0) zeros++
  const sign = (number[zeros] as number) >= signBit ? 1 : 0
  const length = sign + number.length - zeros
  der[at] = integer
  der[at + 1] = length
  der.set(zeros === 0 ? number : number.subarray(zeros), at + 2 + sign)
  return at + 2 + length
}

/** Bytes around r and s: tag, length and a possible zero for each, and tag and length of the sequence. */
const longestFrame = 8

/** @param signature r and s, of equal length; up to 60 bytes each @returns the signature in DER */
export const toDer = (signature: Uint8Array): Uint8Array => {
  const size = signature.length / 2
  const der = new Uint8Array(signature.length + longestFrame)
  const sAt = writeInteger(der, 2, signature.subarray(0, size))
  const end = writeInteger(der, sAt, signature.subarray(size))
  der[0] = sequence
  der[1] = end - 2
  return der.subarray(0, end)
}

/**
 * @param der a signature that this process made
 * @param size bytes of r, and of s
 * @returns r and s
 */
export const fromDer = (der: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  const signature = new Uint8Array(2 * size)
  let at = 2
  for (const end of [size, 2 * size]) {
    const number = der.subarray(at + 2, at + 2 + (der[at + 1] as number))
    // An integer one byte longer than its size begins with the zero that keeps it positive.
    const bytes = number.subarray(Math.max(0, number.length - size))
    signature.set(bytes, end - bytes.length)
    at += 2 + number.length
  }
  return signature
}
