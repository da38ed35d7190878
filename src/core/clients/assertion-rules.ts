// What the client's own assertion and the token of a workload have in common (RFC 7523).
import { decodeProtectedHeader, errors as joseErrors } from 'jose'
import { invalidClient } from '../language/errors.ts'
import type { RecordStore } from '../limits/records.ts'
import { KeysUnavailable } from '../outbound/remote-keys.ts'

export const clockTolerance = 30 // s
/** Some libraries, such as Authlib, make assertions for an hour and cannot be configured. */
export const longestLife = 3600 // s

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

/** The refusal of an assertion that cannot be verified; other errors stay as they are. */
export const asInvalidClient = (cause: unknown): unknown => {
  if (cause instanceof KeysUnavailable) return invalidClient('keys_unavailable', cause)
  return cause instanceof joseErrors.JOSEError ? invalidClient('assertion_invalid', cause) : cause
}

/**
 * RFC 7523 §3 (7): each assertion is accepted once.
 * @param life seconds until it expires
 * @throws OAuthError invalid_client
 */
export const acceptOnce = async (
  records: Pick<RecordStore, 'insert'>,
  key: string,
  life: number,
): Promise<void> => {
  const record = { state: 'used', value: '' }
  if (!(await records.insert('assertion', key, record, life + 2 * clockTolerance)))
    throw invalidClient('assertion_replayed')
}
