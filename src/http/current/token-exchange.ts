import { isSameResource } from '#verify/rules/resource-form'
import type { LoadedClient } from '../../core/grants/store.ts'
import type { GrantType } from '../../core/grants/token-request.ts'
import { about, invalidRequest, OAuthError } from '../../core/language/errors.ts'
import { type Form, required } from '../oauth/form.ts'

// RFC 8693 §3.
const refreshToken = 'urn:ietf:params:oauth:token-type:refresh_token'
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
export const issuedTokenType = accessToken

/** The token of a token exchange: a legacy refresh token to migrate, or an access token to act with. */
type Subject = 'legacy_refresh_token' | 'access_token'

const subjects: Record<string, Subject> = {
  [refreshToken]: 'legacy_refresh_token',
  [accessToken]: 'access_token',
}

const subjectOf = (type: string): Subject => {
  const subject = Object.hasOwn(subjects, type) ? subjects[type] : undefined
  if (subject) return subject
  throw invalidRequest(
    'subject_token_type must be that of an access token or a refresh token',
    'subject_token_type',
  )
}

/**
 * Reads a token exchange (RFC 8693 §2.1). The client itself is the actor, so there is no `actor_token`. Other data APIs are
 * named by `resource`, so `audience` can only be the default one.
 * @throws OAuthError invalid_request, invalid_target
 */
export const readExchange = (form: Form, audience: string) => {
  const subjectToken = required(form, 'subject_token')
  const subject = subjectOf(required(form, 'subject_token_type'))
  if ((form.get('requested_token_type') ?? issuedTokenType) !== issuedTokenType)
    throw invalidRequest('requested_token_type is not supported', 'requested_token_type')
  if (form.has('actor_token') || form.has('actor_token_type'))
    throw invalidRequest('actor_token is not supported', 'actor_token')
  if (!isSameResource(form.get('audience') ?? audience, audience))
    throw new OAuthError('invalid_target', 'the audience is unknown; name a data API by resource')
  return { subjectToken, subject }
}

const unacceptable = (error: unknown) => {
  if (!(error instanceof OAuthError) || error.code !== 'invalid_grant') return error
  const description =
    'the subject token is invalid, expired, revoked or was issued to another client'
  const refused = invalidRequest(description, error.reason)
  return error.about ? about(refused, error.about) : refused
}

/** RFC 8693 §2.2.2: `invalid_request` for a subject token that is not valid or not acceptable, for whatever reason. */
export const exchangeOf = <Loaded extends LoadedClient>(
  grantType: GrantType<Loaded>,
): GrantType<Loaded> => ({
  ...grantType,
  redeem: async (request) => {
    try {
      return await grantType.redeem(request)
    } catch (error) {
      throw unacceptable(error)
    }
  },
})
