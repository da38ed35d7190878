import { TokenInvalid } from './errors.ts'

/** A request's headers: Node's, Fastify's, or those of the Fetch standard. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly authorization?: string | readonly string[] | undefined }

// RFC 6750 §2.1: b64token, after exactly one space; the scheme's case does not matter (RFC 9110 §11.1).
const bearer = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i

const valuesOf = (headers: RequestHeaders): readonly string[] => {
  if ('get' in headers && typeof headers.get === 'function')
    return [headers.get('authorization') ?? []].flat()
  const { authorization = [] } = headers as { authorization?: string | readonly string[] }
  return typeof authorization === 'string' ? [authorization] : authorization
}

/**
 * The token of the current interface: `Authorization: Bearer …`.
 * @returns null when there is none, as with another scheme (RFC 6750 §3.1)
 * @throws TokenInvalid when there are several, or it is malformed
 */
export const bearerToken = (headers: RequestHeaders): string | null => {
  const [value, ...others] = valuesOf(headers)
  if (others.length > 0) throw new TokenInvalid('two_credentials')
  if (value === undefined || !/^bearer(?: |$)/i.test(value)) return null
  const token = bearer.exec(value)?.[1]
  if (token === undefined) throw new TokenInvalid('malformed')
  return token
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
