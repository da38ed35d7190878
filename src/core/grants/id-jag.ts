// The Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant): its form, and what an
// identity provider must have signed.
import { decodeJwt, decodeProtectedHeader, type JWTPayload, errors as joseErrors } from 'jose'
import { invalidGrant, OAuthError } from '../language/errors.ts'
import type { GrantReason } from '../language/sub-reasons.ts'
import { assertionAlgorithms } from '../outbound/public-keys.ts'
import { KeysUnavailable, type RemoteKeys } from '../outbound/remote-keys.ts'
import { verifyWithKeys } from '../outbound/verify-with-keys.ts'
import type { Waiter } from '../outbound/waits.ts'

/** The value of `typ` in its header. */
const idJagType = 'oauth-id-jag+jwt'

/** RFC 8414 and draft ID-JAG §7: the server accepts such assertions. */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

const longestLife = 600 // s
const clockTolerance = 30 // s
const longestText = 255 // OpenID Connect Core §2

/** An assertion as presented. Nothing in it is verified. */
export interface PresentedAssertion {
  text: string
  /** null: the assertion is damaged, or names no issuer */
  issuer: string | null
  /** The organization that the provider means (`aud_tenant`); null: not named */
  organizationId: string | null
}

/** What a verified assertion says. */
export interface VerifiedAssertion {
  issuer: string
  subject: string
  clientId: string
  id: string
  /** Seconds until it expires, with the tolerance for clocks. */
  remaining: number
  /** The provider's word for our user id (`aud_sub`); null: none */
  userId: string | null
  /** Only if the provider has verified it. */
  email: string | null
  /** The scopes that the provider allows; null: it does not limit them */
  scope: string[] | null
  /** The resources that the token may be for; null: not limited */
  resources: string[] | null
  /** Seconds since 1970 of the sign-in at the provider; null: unknown */
  authenticatedAt: number | null
  /** Thumbprint of the key that must be proven (RFC 7800 §3.1, RFC 9449 §6.1); null: none */
  jkt: string | null
}

/** The provider that must have signed, as the organization names it. */
interface NamedProvider {
  organizationId: string
  issuer: string
  /** null: its keys are found by discovery */
  jwksUri: string | null
}

const retryAfter = 10 // s: a source that has failed is not asked again sooner

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longestText && !value.includes('\0')

const textOf = (value: unknown) => (isText(value) ? value : null)

/** A claim that limits the assertion: one that this server cannot read must not be ignored. */
const limitOf = (value: unknown): string | null => {
  if (value !== undefined && !isText(value)) throw invalidGrant('id_jag_malformed')
  return value ?? null
}

/** Reads which provider and organization an assertion names. Never throws: the client is authenticated first. */
export const readAssertion = (text: string): PresentedAssertion => {
  try {
    const { iss, aud_tenant: tenant } = decodeJwt(text)
    const isIssuer = typeof iss === 'string' && !iss.includes('\0')
    return { text, issuer: isIssuer ? iss : null, organizationId: textOf(tenant) }
  } catch {
    return { text, issuer: null, organizationId: null }
  }
}

const reasonsByClaim: Record<string, GrantReason> = {
  aud: 'id_jag_audience',
  iss: 'id_jag_issuer',
  nbf: 'id_jag_not_yet_valid',
}

const reasonOf = (error: InstanceType<typeof joseErrors.JOSEError>): GrantReason => {
  if (error instanceof joseErrors.JWTExpired) return 'id_jag_expired'
  if (error instanceof joseErrors.JWTClaimValidationFailed)
    return reasonsByClaim[error.claim] ?? 'id_jag_malformed'
  const isKey =
    error instanceof joseErrors.JWSSignatureVerificationFailed ||
    error instanceof joseErrors.JWKSNoMatchingKey
  return isKey ? 'id_jag_signature' : 'id_jag_malformed'
}

/** RFC 8725 §3.11: a JWT of another kind, such as an ID token, is no assertion. @throws OAuthError invalid_grant */
const demandType = (text: string) => {
  let type: unknown
  try {
    type = decodeProtectedHeader(text).typ
  } catch (cause) {
    throw invalidGrant('id_jag_malformed', cause)
  }
  // RFC 7515 §4.1.9: compared like a media type, and the prefix may be there.
  const short = typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : ''
  if (short !== idJagType) throw invalidGrant('id_jag_type')
}

/** @throws OAuthError invalid_grant */
const demandTimes = ({ iat = 0, exp = 0 }: JWTPayload, now: number) => {
  if (iat > now + clockTolerance) throw invalidGrant('id_jag_not_yet_valid')
  if (exp - iat > longestLife) throw invalidGrant('id_jag_lives_too_long')
}

/** The assertion is for this server alone: another one that accepts it, too, would be a second use. */
const isOnly = (audience: JWTPayload['aud']) =>
  typeof audience === 'string' || audience?.length === 1

const resourcesOf = (resource: unknown): string[] | null => {
  if (resource === undefined) return null
  const list = Array.isArray(resource) ? resource : [resource]
  if (!list.every(isText)) throw invalidGrant('id_jag_malformed')
  return list
}

const scopeOf = (scope: unknown): string[] | null => {
  if (scope === undefined) return null
  if (typeof scope !== 'string') throw invalidGrant('id_jag_malformed')
  return scope.split(' ').filter(Boolean)
}

const keyOf = (confirmation: unknown): string | null => {
  if (confirmation === undefined) return null
  const { jkt } = (confirmation ?? {}) as { jkt?: unknown }
  // A binding that this server cannot check must not be ignored.
  if (!isText(jkt)) throw invalidGrant('id_jag_malformed')
  return jkt
}

/** A sign-in of the future would pass for a recent one for ever. */
const timeOf = (time: unknown, now: number): number | null =>
  typeof time === 'number' && Number.isInteger(time) && time > 0 && time <= now + clockTolerance
    ? time
    : null

const claimsOf = (payload: JWTPayload, now: number): VerifiedAssertion => {
  const { iss, sub, jti, exp = 0, client_id: clientId, email } = payload
  limitOf(payload.aud_tenant) // read above, before it was verified
  if (!isText(iss) || !isText(sub) || !isText(jti) || typeof clientId !== 'string')
    throw invalidGrant('id_jag_malformed')
  return {
    issuer: iss,
    subject: sub,
    clientId,
    id: jti,
    remaining: exp - now + 2 * clockTolerance,
    userId: limitOf(payload.aud_sub),
    // OpenID Connect Core §5.1: only the boolean `true` counts.
    email: payload.email_verified === true ? textOf(email) : null,
    scope: scopeOf(payload.scope),
    resources: resourcesOf(payload.resource),
    authenticatedAt: timeOf(payload.auth_time, now),
    jkt: keyOf(payload.cnf),
  }
}

const refusalOf = (error: unknown): unknown => {
  if (error instanceof joseErrors.JOSEError) return invalidGrant(reasonOf(error), error)
  if (!(error instanceof KeysUnavailable)) return error
  const reason = 'id_jag_keys_unavailable'
  const description = 'the keys of the identity provider cannot be read now'
  return new OAuthError('temporarily_unavailable', description, {
    reason,
    cause: error,
    retryAfter,
  })
}

/** Verifies an assertion of a provider. */
export const createVerifyAssertion = (deps: {
  remoteKeys: RemoteKeys
  /** The issuer of this server. */
  issuer: string
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const verify = async (
    text: string,
    { organizationId, issuer, jwksUri }: NamedProvider,
    onWait: Waiter['onWait'],
    now: number,
  ) => {
    const source = jwksUri === null ? { issuer } : { jwksUri }
    const keys = await deps.remoteKeys.keysOf(source, { owner: organizationId, onWait })
    const { payload } = await verifyWithKeys(text, keys, {
      algorithms: assertionAlgorithms,
      issuer,
      audience: deps.issuer,
      clockTolerance,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id'],
    })
    return payload
  }

  /** @throws OAuthError invalid_grant; temporarily_unavailable when the keys cannot be read; OutboundBusy */
  return async (text: string, provider: NamedProvider, onWait: Waiter['onWait']) => {
    demandType(text)
    const now = deps.now()
    const payload = await verify(text, provider, onWait, now).catch((error: unknown) => {
      throw refusalOf(error)
    })
    demandTimes(payload, now / 1000)
    if (!isOnly(payload.aud)) throw invalidGrant('id_jag_audience')
    return claimsOf(payload, now / 1000)
  }
}

export type VerifyAssertion = ReturnType<typeof createVerifyAssertion>
