import { invalidRequest, OAuthError } from '../../core/language/errors.ts'
import { type Form, required } from '../oauth/form.ts'

// RFC 8693 §3.
const refreshToken = 'urn:ietf:params:oauth:token-type:refresh_token'
export const issuedTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * Reads the legacy refresh token of a token exchange (RFC 8693 §2.1). Delegation is not supported. Other data APIs are
 * named by `resource`, so `audience` can only be the default one.
 * @throws OAuthError invalid_request, invalid_target
 */
export const readExchange = (form: Form, audience: string): string => {
  const subjectToken = required(form, 'subject_token')
  if (required(form, 'subject_token_type') !== refreshToken)
    throw invalidRequest('subject_token_type must be that of a refresh token', 'subject_token_type')
  if ((form.get('requested_token_type') ?? issuedTokenType) !== issuedTokenType)
    throw invalidRequest('requested_token_type is not supported', 'requested_token_type')
  if (form.has('actor_token') || form.has('actor_token_type'))
    throw invalidRequest('actor_token is not supported', 'actor_token')
  if ((form.get('audience') ?? audience) !== audience)
    throw new OAuthError('invalid_target', 'the audience is unknown; name a data API by resource')
  return subjectToken
}
