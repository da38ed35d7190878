import type { ClientCredentials } from '../../core/clients/authenticate.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { readClientCredentials } from './client-credentials.ts'
import type { Form } from './form.ts'

/** Neither a client nor a grant type that there is: no token request at all, and nobody to authenticate. */
const hasNoClient = (fault: unknown, authorization: string | undefined, form: Form) =>
  authorization === undefined &&
  !form.has('client_id') &&
  !form.has('client_assertion') &&
  fault instanceof OAuthError &&
  (fault.code === 'unsupported_grant_type' || fault.reason === 'grant_type_missing')

/**
 * Refuses a token request that cannot be read. Is the client no good either, that is what it is told (decision 0005);
 * only what is refused anyway costs a query more.
 * @throws OAuthError what `authenticate` throws, or the fault
 */
export const refuseUnreadable = async (
  fault: unknown,
  authorization: string | undefined,
  form: Form,
  authenticate: (credentials: ClientCredentials) => Promise<unknown>,
): Promise<never> => {
  if (!hasNoClient(fault, authorization, form))
    await authenticate(readClientCredentials(authorization, form))
  throw fault
}
