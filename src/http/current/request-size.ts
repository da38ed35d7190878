import { invalidRequest } from '../../core/language/errors.ts'

/** Characters. Intermediaries accept addresses of this length. */
export const longestRequest = 8000

/**
 * A body may be no longer than an address: anyone can send requests, and each is stored until the user answers.
 * @throws OAuthError invalid_request
 */
export const demandShort = (pairs: readonly (readonly [string, string])[]) => {
  const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > longestRequest) throw invalidRequest('the request is too long', 'request_too_long')
}
