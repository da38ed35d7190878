import { ProofInvalid, TokenInvalid } from './errors.ts'

/** A request's headers: Node's, Fastify's, or those of the Fetch standard. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | {
      readonly authorization?: string | readonly string[] | undefined
      readonly dpop?: string | readonly string[] | undefined
    }

/**
 * A token, and the proof that its sender holds the key to which it is bound (RFC 9449 §7.1). One such object stands for
 * one request: what is verified a second time for that is no second use of the proof.
 */
export interface ProvenToken {
  readonly token: string
  /** Of the header `DPoP`. */
  readonly proof: string
  readonly method: string
  /** Of the request, as the sender knows it: the public address, whatever proxies there are. */
  readonly url: string
}

/** What a request shows: a token that whoever has it may use, or one with a proof. */
export type Credential = string | ProvenToken

// RFC 6750 §2.1: b64token, after one space or more; the scheme's case does not matter (RFC 9110 §11.1, §11.4).
const tokenShape = /^(?:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i

const valuesOf = (headers: RequestHeaders, name: 'authorization' | 'dpop'): readonly string[] => {
  if ('get' in headers && typeof headers.get === 'function') return [headers.get(name) ?? []].flat()
  const { [name]: value = [] } = headers as Partial<Record<typeof name, string | string[]>>
  return typeof value === 'string' ? [value] : value
}

/** @throws TokenInvalid when there are several credentials, or the token is malformed */
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
 * The token of the current interface: `Authorization: Bearer …`.
 * @returns null when there is none, as with another scheme (RFC 6750 §3.1)
 * @throws TokenInvalid when there are several, or it is malformed
 */
export const bearerToken = (headers: RequestHeaders): string | null =>
  shownIn(headers, /^(bearer)(?: |$)/i)?.token ?? null

/**
 * What a request of the current interface shows: `Authorization: Bearer …`, or `Authorization: DPoP …` with a proof in
 * the header `DPoP`.
 * @param request its method, and its address as its sender knows it
 * @returns null when there is nothing, as with another scheme
 * @throws TokenInvalid when there are several, or the token is malformed; ProofInvalid when there is not one proof
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
 * The credential of the legacy interface: the GraphQL variable `secretKey`, or `accessToken` in its place.
 * @returns null when there is neither
 * @throws TokenInvalid when there are both, or it is no text
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
