import { decodeJwt } from 'jose'
import type { ClientCredentials } from '../../core/clients/authenticate.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import { invalidClient, invalidRequest } from '../../core/language/errors.ts'
import type { Form } from './form.ts'

/** The parameters that name a client, each once. */
type Fields = Pick<Form, 'get' | 'has'>

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** RFC 9110 §11.4: one space or more. */
const basicShape = /^basic +([^ ]+)$/i
const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** RFC 6749 §2.3.1: id and secret are form-urlencoded inside Basic. */
const formDecode = (text: string) => {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw invalidClient('basic_malformed', cause)
  }
}

const readBasic = (header: string) => {
  const value = basicShape.exec(header)?.[1]
  if (value === undefined || !strictBase64.test(value)) {
    throw invalidClient('basic_malformed')
  }
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw invalidClient('basic_malformed')
  return { clientId: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) }
}

const subjectOf = (assertion: string): unknown => {
  try {
    return decodeJwt(assertion).sub
  } catch (cause) {
    throw invalidClient('assertion_malformed', cause)
  }
}

const readAssertion = (form: Fields, assertion: string): ClientCredentials => {
  if (form.get('client_assertion_type') !== assertionType) {
    throw invalidRequest('client_assertion_type is missing or not supported', 'assertion_type')
  }
  const subject = subjectOf(assertion)
  // The subject of a workload's token is the workload, so the client is named beside it.
  const clientId = form.get('client_id') ?? subject
  // Not verified yet: the claim may be any JSON value.
  if (typeof clientId !== 'string') throw invalidClient('assertion_subject')
  return { method: 'private_key_jwt', clientId, assertion }
}

const read = (authorization: string | undefined, form: Fields): ClientCredentials => {
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  // RFC 6749 §2.3: a request must not use more than one mechanism.
  if ([authorization, secret, assertion].filter((one) => one !== undefined).length > 1) {
    throw invalidRequest('more than one client authentication mechanism is used', 'two_mechanisms')
  }
  if (authorization !== undefined) {
    const basic = readBasic(authorization)
    if (clientId !== undefined && clientId !== basic.clientId) {
      throw invalidRequest(
        'client_id differs from the one in the Authorization header',
        'two_clients',
      )
    }
    // An empty secret counts as no secret (RFC 6749 §2.3.1): some libraries of public clients send one.
    if (basic.secret === '') return { method: 'none', clientId: basic.clientId }
    return { method: 'client_secret_basic', ...basic }
  }
  if (assertion !== undefined) return readAssertion(form, assertion)
  if (clientId === undefined) throw invalidClient('client_id_missing')
  return secret === undefined
    ? { method: 'none', clientId }
    : { method: 'client_secret_post', clientId, secret }
}

/**
 * Reads the client credentials of a request. Verifies nothing.
 * @throws OAuthError invalid_request for two mechanisms or identities, invalid_client for none or a malformed one
 */
export const readClientCredentials = (
  authorization: string | undefined,
  form: Fields,
): ClientCredentials => {
  const credentials = read(authorization, form)
  if (!isClientIdShaped(credentials.clientId)) throw invalidClient('unknown_client')
  return credentials
}

/**
 * True when the request carries a secret or an assertion. After successful authentication that credential was correct.
 */
export const showsSecret = (authorization: string | undefined, form: Fields | null): boolean => {
  try {
    return form !== null && read(authorization, form).method !== 'none'
  } catch {
    return false
  }
}

/** The client id that a refused request claimed. Use it for counting and the audit trail, never for a decision. */
export const claimedClientId = (authorization: string | undefined, form: Fields | null) => {
  const named = form?.get('client_id')
  if (named !== undefined) return named
  try {
    if (authorization !== undefined) return readBasic(authorization).clientId
    const assertion = form?.get('client_assertion')
    const subject = assertion === undefined ? undefined : subjectOf(assertion)
    return typeof subject === 'string' ? subject : undefined
  } catch {
    return undefined
  }
}
