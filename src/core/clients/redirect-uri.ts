import type { ClientType } from './client-type.ts'

const longest = 2000
/** A URI has no control characters, spaces, quotes, backslashes, braces or non-ASCII characters (RFC 3986 §2). */
export const uriCharacters = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/
// The syntax that URL parsers agree on (RFC 3986 §3.2) and that a Content-Security-Policy can contain: not
// `https:///`, not `;`.
const webAuthority = /^https?:\/\/(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?(?=[/?]|$)/i
// RFC 8252 §7.1: private-use schemes are reverse domain names. Other schemes belong to the browser or the system:
// `javascript:` runs code, `intent:`, `search-ms:` and `tel:` open other programs.
const reverseDomainName = /^[a-z]{2,63}(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+:$/
// Windows opens its own programs under schemes such as `microsoft.windows.camera:`.
const systemScheme = /^microsoft\./

const parse = (value: string) => (URL.canParse(value) ? new URL(value) : null)

const loopbackHosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** http on this device, by address or by name (RFC 8252 §7.3, §8.3). */
export const isLoopback = (url: URL) =>
  url.protocol === 'http:' && loopbackHosts.includes(url.hostname)

const isHttp = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

const isPrivateScheme = (protocol: string) =>
  reverseDomainName.test(protocol) && !systemScheme.test(protocol)

/**
 * May a browser be redirected to this URI? Not to a scheme that opens a program and was registered under earlier
 * rules.
 */
export const hasAllowedScheme = (value: string) => {
  const url = parse(value)
  return url !== null && (isHttp(url) || isPrivateScheme(url.protocol))
}

/**
 * Why a redirect URI cannot be registered; null: it can. https anywhere; http on loopback only; private-use schemes
 * for public clients only (RFC 9700 §2.1, RFC 8252 §7).
 */
export const redirectUriFault = (value: string, clientType: ClientType): string | null => {
  if (value.length > longest) return 'is longer than 2000 characters'
  if (!uriCharacters.test(value)) return 'has characters that a URI cannot have'
  const url = parse(value)
  if (!url) return 'is not an absolute URI'
  if (value.includes('#')) return 'has a fragment'
  if (value.includes('*')) return 'has a wildcard'
  if (url.username || url.password || /^[a-z]+:\/\/[^/?]*@/i.test(value))
    return 'has user information'
  if (isHttp(url) && !webAuthority.test(value)) return 'has no valid host'
  if (receiverOf(value) !== value)
    return 'has a parameter of an answer in its query, such as code, state or error'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:') return isLoopback(url) ? null : 'must use https'
  if (clientType === 'confidential') return 'must use https'
  return isPrivateScheme(url.protocol)
    ? null
    : 'has a scheme that is not a reverse domain name, such as com.example.app'
}

/** Removes the port of `http://127.0.0.1:PORT/path?query`, and keeps every other byte, also the spelling of the host. */
const withoutPort = (value: string) =>
  value.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1')

/**
 * Finds the registered URI of a request, byte for byte (RFC 9700 §2.1). Only the port of a public client's loopback
 * redirect may differ (RFC 8252 §7.3), also by the name `localhost`: AI clients and other programs that pick a free port
 * use it. `localhost` never matches an address, nor the other way round. A URI whose scheme can no longer be registered
 * never matches.
 * @returns the URI to redirect to, or null
 */
export const matchRedirectUri = (
  registered: readonly string[],
  requested: string,
  clientType: ClientType,
): string | null => {
  if (registered.includes(requested)) return hasAllowedScheme(requested) ? requested : null
  if (clientType !== 'public' || !uriCharacters.test(requested)) return null
  const url = parse(requested)
  if (!url || !isLoopback(url)) return null
  const portless = withoutPort(requested)
  const match = registered.some((one) => {
    const candidate = parse(one)
    return candidate !== null && isLoopback(candidate) && withoutPort(one) === portless
  })
  return match ? requested : null
}

/** True for a custom scheme or loopback, which any program on the user's device can receive (RFC 8252 §8.6). */
export const isUnclaimed = (redirectUri: string) => {
  const url = parse(redirectUri)
  return url === null || !isHttp(url) || isLoopback(url) || url.hostname === 'localhost'
}

/** The web origin of a redirect URI; null for private-use schemes. */
export const originOf = (redirectUri: string): string | null => {
  const url = parse(redirectUri)
  return url && isHttp(url) ? url.origin : null
}

/** Parameters of an answer, which no registered query may have: RFC 6749 §4.1.2, §4.2.2, RFC 9207, and our own. */
const answerParameters = [
  ...['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'install_code'],
  ...['access_token', 'token_type', 'expires_in', 'scope', 'id_token', 'response'],
]

const isNamed = (names: readonly string[]) => (pair: string) => {
  const [name = ''] = new URLSearchParams(pair).keys()
  return names.includes(name)
}

/** A registered query without these parameters, otherwise byte for byte. */
const withoutParameters = (uri: string, names: readonly string[]) => {
  const [path = '', ...rest] = uri.split('?')
  const pairs = rest.join('?').split('&')
  const kept = pairs.filter((pair) => !isNamed(names)(pair))
  return kept.length === pairs.length
    ? uri
    : [path, ...(kept.length > 0 ? [kept.join('&')] : [])].join('?')
}

/**
 * Adds parameters. A registered query is kept byte for byte (RFC 6749 §3.1.2), but for parameters of these names, because
 * none may appear twice (§3.1).
 */
export const withQuery = (
  uri: string,
  parameters: Record<string, string | undefined>,
  names = Object.keys(parameters),
) => {
  const own = withoutParameters(uri, names)
  return `${own}${own.includes('?') ? (/[?&]$/.test(own) ? '' : '&') : '?'}${encode(parameters)}`
}

/** The address of an app without what an answer adds. It was registered before that was refused. */
export const receiverOf = (redirectUri: string) => withoutParameters(redirectUri, answerParameters)

/** An answer to an authorization request or an install link. */
export const withAnswer = (redirectUri: string, parameters: Record<string, string | undefined>) =>
  withQuery(redirectUri, parameters, answerParameters)

/** RFC 6749 §4.2.2: the implicit response uses only the fragment. */
export const withFragment = (redirectUri: string, parameters: Record<string, string | undefined>) =>
  `${receiverOf(redirectUri)}#${encode(parameters)}`

const encode = (parameters: Record<string, string | undefined>) => {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams(pairs as [string, string][]).toString()
}
