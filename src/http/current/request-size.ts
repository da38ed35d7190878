import { invalidRequest } from '../../core/language/errors.ts'

/** Characters; servers in between take as much of an address. */
export const longestRequest = 8000

/**
 * A body may bring no more than an address can: what anybody may send is kept until a person has answered.
 * @throws OAuthError invalid_request
 */
export const demandShort = (pairs: readonly (readonly [string, string])[]) => {
  const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > longestRequest) throw invalidRequest('the request is too long', 'request_too_long')
}
