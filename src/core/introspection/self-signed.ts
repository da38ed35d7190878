import { createHmac, timingSafeEqual } from 'node:crypto'
import { isNumericDate, isSelfSignedType } from '#verify/rules/self-signed'
import type { CompactJws } from '../crypto/compact-jws.ts'
import type { TokenReason } from '../language/sub-reasons.ts'

/** The claims of a self-signed token of a current key set (specification §5.2 A). */
export interface SelfSignedClaims {
  /** Client id of the key set; null: unreadable. */
  issuer: string | null
  /** Whole seconds since 1970; null: unreadable. */
  issuedAt: number | null
  /** Whole seconds since 1970; null: as long as the secret is valid. */
  expiresAt: number | null
  /** `aud` (RFC 7519 §4.1.3); null: absent. Who asks decides whether the token is for it. */
  audiences: string[] | null
  /** null = all workspaces; empty = none. */
  workspaceIds: string[] | null
  /** Empty when absent in the token: read only. */
  permissions: string[]
}

/** Seconds by which the clock of a key set's owner may be ahead of ours. */
const clockTolerance = 30

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const headerMembers = ['alg', 'typ', 'kid']

/**
 * Is this the header of a self-signed token: HS256 and JWT, without members that bring a key or change the meaning of
 * the rest? An issued token (`at+jwt`, ES256) never matches (RFC 8725 §3.11). Some libraries write a `kid`. It selects
 * nothing: only `iss` names the key set.
 */
export const isSelfSigned = ({ header }: CompactJws) =>
  header.alg === 'HS256' &&
  isSelfSignedType(header.typ) &&
  (header.kid === undefined || isText(header.kid)) &&
  Object.keys(header).every((name) => headerMembers.includes(name))

/** The first fault of the claims, or null. */
const faultOf = ({ claims }: CompactJws, now: number): TokenReason | null => {
  const { iss, iat, exp, nbf, workspace_ids: workspaceIds, permissions } = claims
  if (!isText(iss)) return 'issuer_malformed'
  if (!isNumericDate(iat)) return 'issued_at_malformed'
  if (iat > now + clockTolerance) return 'issued_in_the_future'
  if (exp !== undefined && !isNumericDate(exp)) return 'expiry_malformed'
  if (exp !== undefined && exp <= now) return 'expired' // the owner chose this limit, so there is no tolerance
  if (nbf !== undefined && (!isNumericDate(nbf) || nbf > now + clockTolerance))
    return 'not_yet_valid'
  if (workspaceIds !== undefined && !isTextList(workspaceIds)) return 'workspace_ids_malformed'
  if (permissions !== undefined && !isTextList(permissions)) return 'permissions_malformed'
  return null
}

/**
 * Reads the claims without verifying them.
 * @param now seconds since 1970
 * @returns the readable claims, and why the token is refused
 */
export const readSelfSigned = (
  token: CompactJws,
  now: number,
): { claims: SelfSignedClaims; refused: TokenReason | null } => {
  const { iss, iat, exp, aud, workspace_ids: workspaceIds, permissions } = token.claims
  const listed = isTextList(workspaceIds) ? workspaceIds : []
  return {
    claims: {
      issuer: isText(iss) ? iss : null,
      // Introspection returns whole seconds (RFC 7662 §2.2).
      issuedAt: isNumericDate(iat) ? Math.floor(iat) : null,
      expiresAt: isNumericDate(exp) ? Math.floor(exp) : null,
      audiences:
        aud === undefined
          ? null
          : [aud].flat().filter((one): one is string => typeof one === 'string'),
      workspaceIds: workspaceIds === undefined ? null : listed,
      permissions: isTextList(permissions) ? permissions : [],
    },
    refused: faultOf(token, now),
  }
}

/**
 * Was the token signed with this secret? Takes constant time. The key is the secret's UTF-8 text (specification §5.2
 * A).
 */
export const isSignedWith = (token: CompactJws, secret: Buffer): boolean => {
  const expected = createHmac('sha256', secret).update(token.signingInput).digest()
  return expected.length === token.signature.length && timingSafeEqual(expected, token.signature)
}
