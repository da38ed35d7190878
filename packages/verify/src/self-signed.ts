import { type CompactJws, decodePart } from './compact.ts'
import { isNumericDate, isSelfSignedType } from './rules/self-signed.ts'
import type { Settings } from './settings.ts'

const idShape = /^[A-Za-z0-9_-]{1,128}$/
/** RFC 7518 §3.2: 32 bytes, in base64url. */
const signatureLength = 43

/**
 * True when the owner of a key set may have signed this token. Only the server can verify it. Tokens that cannot be
 * valid are not worth a request.
 * @param at seconds since 1970
 */
export const isPlausible = (
  { header, payload, signature }: CompactJws,
  { issuer, clockTolerance }: Pick<Settings, 'issuer' | 'clockTolerance'>,
  at: number,
): boolean => {
  if (!isSelfSignedType(header.typ ?? undefined)) return false
  if (signature.length !== signatureLength) return false
  const { iss, iat, exp } = decodePart(payload) ?? {}
  // Only the issuer may use its own name, and it does not sign with a shared secret.
  if (typeof iss !== 'string' || !idShape.test(iss) || iss === issuer) return false
  if (!isNumericDate(iat)) return false
  return exp === undefined || (isNumericDate(exp) && exp + clockTolerance > at)
}
