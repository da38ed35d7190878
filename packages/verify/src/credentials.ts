import { ProofInvalid, TokenInvalid } from './errors.ts'

/** A request's headers: Node's, Fastify's, or those of the Fetch standard. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | {
      readonly authorization?: string | readonly string[] | undefined
      readonly dpop?: string | readonly string[] | undefined
    }

/**
 * A token with the proof that its sender holds the bound key (RFC 9449 §7.1). One such object stands for one request:
 * verifying it again is not a second use of the proof.
 */
export interface ProvenToken {
  readonly token: string
  /** Value of the header `DPoP`. */
  readonly proof: string
  readonly method: string
  /** URL of the request as the sender knows it: the public address, even behind proxies. */
  readonly url: string
}

/** The credential of a request: a bearer token, or a token with a proof. */
export type Credential = string | ProvenToken

// RFC 6750 §2.1: b64token after one or more spaces. The scheme is case-insensitive (RFC 9110 §11.1, §11.4).
const tokenShape = /^(?:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i

const valuesOf = (headers: RequestHeaders, name: 'authorization' | 'dpop'): readonly string[] => {
  if ('get' in headers && typeof headers.get === 'function') return [headers.get(name) ?? []].flat()
  const { [name]: value = [] } = headers as Partial<Record<typeof name, string | string[]>>
  return typeof value === 'string' ? [value] : value
}

/** @throws TokenInvalid for several credentials or a malformed token */
const shownIn = (headers: RequestHeaders, schemes: RegExp) => {
  const [value, ...others] = valuesOf(headers, 'authorization')
  if (others.length > 0) throw new TokenInvalid('two_credentials')
  const scheme = schemes.exec(value ?? '')?.[1]
  if (value === undefined || scheme === undefined) return null
  const token = tokenShape.exec(value)?.[1]
  if (token === undefined) throw new TokenInvalid('malformed')
  return { scheme: scheme.toLowerCase(), token }
}

/**
 * Reads the token of the current interface: `Authorization: Bearer …`.
 * @returns null when there is none or another scheme is used (RFC 6750 §3.1)
 * @throws TokenInvalid for several tokens or a malformed one
 */
export const bearerToken = (headers: RequestHeaders): string | null =>
  shownIn(headers, /^(bearer)(?: |$)/i)?.token ?? null

/**
 * Reads the credential of a request to the current interface: `Authorization: Bearer …`, or `Authorization: DPoP …`
 * with a proof in the header `DPoP`.
 * @param request its method, and its URL as the sender knows it
 * @returns null when there is none or another scheme is used
 * @throws TokenInvalid for several credentials or a malformed token; ProofInvalid unless there is exactly one proof
 */
export const credentialIn = (
  headers: RequestHeaders,
  request: Pick<ProvenToken, 'method' | 'url'>,
): Credential | null => {
  const shown = shownIn(headers, /^(bearer|dpop)(?: |$)/i)
  if (shown === null || shown.scheme === 'bearer') return shown?.token ?? null
  const [proof, ...others] = valuesOf(headers, 'dpop')
  if (proof === undefined) throw new ProofInvalid('proof_missing')
  if (others.length > 0) throw new ProofInvalid('proof_malformed')
  return Object.freeze({ token: shown.token, proof, method: request.method, url: request.url })
}

/**
 * Reads the credential of the legacy interface: the GraphQL variable `secretKey` or `accessToken`.
 * @returns null when neither is present
 * @throws TokenInvalid when both are present or the value is not a string
 */
export const legacyCredential = (variables: unknown): string | null => {
  if (typeof variables !== 'object' || variables === null) return null
  const given = ['secretKey', 'accessToken'].flatMap((name) => {
    const value = Object.hasOwn(variables, name) ? Reflect.get(variables, name) : null
    return value === null || value === undefined ? [] : [value as unknown]
  })
  if (given.length > 1) throw new TokenInvalid('two_credentials')
  const [credential = null] = given
  if (credential !== null && typeof credential !== 'string') throw new TokenInvalid('malformed')
  return credential
}
