import { type CompactJws, decodePart } from './compact.ts'
import { isNumericDate, isSelfSignedType } from './rules/self-signed.ts'
import type { Settings } from './settings.ts'

const idShape = /^[A-Za-z0-9_-]{1,128}$/
/** RFC 7518 §3.2: 32 bytes, in base64url. */
const signatureLength = 43

/**
 * The client id of the key set whose owner may have signed this token; null when no owner can have. Only the server can
 * verify it. Tokens that cannot be valid are not worth a request.
 * @param at seconds since 1970
 */
export const namedKeySet = (
  { header, payload, signature }: CompactJws,
  { issuer, clockTolerance }: Pick<Settings, 'issuer' | 'clockTolerance'>,
  at: number,
): string | null => {
  if (!isSelfSignedType(header.typ ?? undefined)) return null
  if (signature.length !== signatureLength) return null
  const { iss, iat, exp } = decodePart(payload) ?? {}
  // Only the issuer may use its own name, and it does not sign with a shared secret.
  if (typeof iss !== 'string' || !idShape.test(iss) || iss === issuer) return null
  if (!isNumericDate(iat)) return null
  const isLive = exp === undefined || (isNumericDate(exp) && exp + clockTolerance > at)
  return isLive ? iss : null
}
