import { decodeProtectedHeader } from 'jose'
import { invalidClient } from '../language/errors.ts'

/** The type of a client's assertion that names its purpose (draft-ietf-oauth-rfc7523bis). */
const ownType = 'client-authentication+jwt'

/**
 * A JWT whose `typ` names another purpose is no client authentication, although the same key has signed it: an access token
 * (`at+jwt`), a proof, a logout token or an identity assertion (RFC 8725 §3.11). Platforms send none or `JWT`.
 * @throws OAuthError invalid_client
 */
export const demandAssertionType = (token: string): void => {
  let type: unknown
  try {
    type = decodeProtectedHeader(token).typ
  } catch (cause) {
    throw invalidClient('assertion_invalid', cause)
  }
  if (type === undefined) return
  if (typeof type !== 'string') throw invalidClient('assertion_invalid')
  // RFC 7515 §4.1.9: compared like a media type, and the prefix may be there.
  const short = type.toLowerCase().replace(/^application\//, '')
  if (short.endsWith('+jwt') && short !== ownType) throw invalidClient('assertion_invalid')
}
