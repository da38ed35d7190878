import { OAuthError } from '../../core/language/errors.ts'
import type { Form } from './form.ts'

/**
 * True when the request names neither a client nor a supported grant type. It is not a token request, and there is no
 * client to authenticate.
 */
const hasNoClient = (fault: unknown, authorization: string | undefined, form: Form) =>
  authorization === undefined &&
  !form.has('client_id') &&
  !form.has('client_assertion') &&
  fault instanceof OAuthError &&
  (fault.code === 'unsupported_grant_type' || fault.reason === 'grant_type_missing')

/**
 * Refuses a malformed token request. Client authentication comes first: a wrong client gets `invalid_client` instead of
 * the fault (decision 0005). Only requests that are refused anyway cost this extra query.
 * @throws OAuthError what `authenticate` throws, or the fault
 */
export const refuseUnreadable = async (
  fault: unknown,
  authorization: string | undefined,
  form: Form,
  authenticate: () => Promise<unknown>,
): Promise<never> => {
  if (!hasNoClient(fault, authorization, form)) await authenticate()
  throw fault
}
