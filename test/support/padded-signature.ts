/**
 * The same ES256 signature with a leading zero byte for each of its two numbers. Verifiers must
 * reject it.
 */
export const paddedSignature = (signature: string): string => {
  const bytes = Buffer.from(signature, 'base64url')
  const zero = Buffer.alloc(1)
  return Buffer.concat([zero, bytes.subarray(0, 32), zero, bytes.subarray(32)]).toString(
    'base64url',
  )
}
