import {
  InsufficientAuthentication,
  InsufficientScope,
  isVerificationError,
  ProofInvalid,
  TokenInvalid,
  type VerificationError,
  VerificationUnavailable,
} from './errors.ts'
import { proofAlgorithms } from './rules/dpop-proof.ts'

export interface ChallengeOptions {
  /** The name of what is protected, for people. */
  realm?: string
  /** Permissions, separated by spaces; default: the missing ones. */
  scope?: string
  /** Address of the data API's metadata, in which an app finds the authorization server (RFC 9728 §5.1). */
  resourceMetadata?: string
  /** Set when the API accepts key-bound tokens too: `credentialIn` reads the credentials of its requests. */
  dpop?: boolean
}

/** The HTTP answer to a refused request, for any framework. */
export interface HttpAnswer {
  status: 401 | 403 | 503
  headers: Record<string, string>
  body: { error: string; error_description: string }
}

/** RFC 9110 §5.6.4. */
const quoted = (text: string) => {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new TypeError('a challenge must be printable ASCII')
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** The same, or 500 when the program uses this library wrongly. */
export type GuardAnswer = Omit<HttpAnswer, 'status'> & { status: HttpAnswer['status'] | 500 }

const words = { error: 'server_error', error_description: 'the access to this cannot be checked' }
export const wrongUse: GuardAnswer = { status: 500, headers: {}, body: words }

type Refused = TokenInvalid | ProofInvalid | InsufficientScope | InsufficientAuthentication | null

const isMissing = (error: Refused) =>
  error === null || (error instanceof TokenInvalid && error.reason === 'missing')

const codeOf = (error: Refused) => {
  if (isMissing(error)) return null
  return error instanceof TokenInvalid ? 'invalid_token' : (error?.code ?? null)
}

/** What the app asks for at the authorization page (RFC 9470 §3). */
const demandOf = (error: Refused) => {
  if (!(error instanceof InsufficientAuthentication)) return {}
  const { acr, maxAge } = error.demanded
  return {
    acr_values: acr.length > 0 ? acr.join(' ') : null,
    max_age: maxAge === null ? null : String(maxAge),
  }
}

/** True for faults of a key binding, which a bearer token cannot fix. */
const isOfKeys = (error: Refused) =>
  error instanceof ProofInvalid ||
  (error instanceof TokenInvalid && ['bound_to_key', 'key_mismatch'].includes(error.reason))

/**
 * The value of `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1, RFC 9470 §3): for 401, and for 403 when permissions are missing.
 * @param error null when the request had no token; then no error is named (§3.1)
 */
export const challenge = (
  error: Refused,
  { realm, scope, resourceMetadata, dpop = false }: ChallengeOptions = {},
): string => {
  const isTooLittle = error instanceof InsufficientScope
  const needed = scope ?? (isTooLittle && error.needed.length > 0 ? error.needed.join(' ') : null)
  const said = (parameters: Record<string, string | null | undefined>) =>
    Object.entries(parameters).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [`${name}=${quoted(value)}`],
    )
  const common = said({
    realm,
    error: codeOf(error),
    error_description: isMissing(error) ? null : error?.message,
    scope: needed,
    ...demandOf(error),
    resource_metadata: resourceMetadata,
  })
  const one = (scheme: string, parameters: string[]) =>
    [scheme, parameters.join(', ')].filter((part) => part !== '').join(' ')
  const bearer = one('Bearer', common)
  if (!dpop) return bearer
  const bound = one('DPoP', [...common, ...said({ algs: proofAlgorithms.join(' ') })])
  return isOfKeys(error) ? bound : `${bearer}, ${bound}`
}

/**
 * Converts an error of this library to an answer: 401, 403, or 503 when the token cannot be verified now.
 * @returns null for any other error, which the caller must handle
 */
export const answerTo = (error: unknown, options: ChallengeOptions = {}): HttpAnswer | null => {
  if (!isVerificationError(error)) return null
  const description = { error_description: error.message }
  if (error instanceof VerificationUnavailable) {
    const headers = { 'retry-after': String(error.retryAfter) }
    return { status: 503, headers, body: { error: error.code, ...description } }
  }
  const nonce = error instanceof ProofInvalid ? error.nonce : null
  const headers = {
    'www-authenticate': challenge(error, options),
    ...(nonce !== null && { 'dpop-nonce': nonce }),
  }
  const code = error instanceof TokenInvalid ? 'invalid_token' : error.code
  const status = error instanceof InsufficientScope ? 403 : 401
  return { status, headers, body: { error: code, ...description } }
}

/** An entry of `errors` in a GraphQL answer of the legacy interface. */
export interface LegacyError {
  message: VerificationError['code']
  extensions: { code: VerificationError['code'] }
}

/** `token-invalid` makes a legacy app refresh its token and repeat the request. */
export const legacyError = ({ code }: VerificationError): LegacyError => ({
  message: code,
  extensions: { code },
})
