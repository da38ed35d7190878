import { TokenInvalid } from './errors.ts'
import { isText, type JsonObject, parseStrictObject } from './json.ts'
import { decodeBase64url, decodeText } from './platform.ts'
import { isCanonicalBase64url } from './rules/base64url.ts'
import { createRecent } from './rules/recent.ts'

// RFC 7515 §2 base64url without padding.
const compact = /^([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)$/

// Header parameters that change the interpretation of the token or bring a key with it (RFC 8725 §3.9 and §3.10).
const refusedNames = ['crit', 'b64', 'zip', 'enc', 'cty', 'jku', 'jwk', 'x5u', 'x5c']

export interface JoseHeader {
  alg: string
  typ: string | null
  kid: string | null
}

/** The parts of a JWS in compact serialization, not verified. */
export interface CompactJws {
  header: JoseHeader
  /** The signed text. */
  input: string
  payload: string
  signature: string
}

const headers = createRecent<JoseHeader>(100)

const parseHeader = (text: string): JoseHeader => {
  const header = decodePart(text)
  if (!header) throw new TokenInvalid('malformed')
  const { alg, typ = null, kid = null } = header
  if (refusedNames.some((name) => Object.hasOwn(header, name))) throw new TokenInvalid('header')
  if (!isText(alg)) throw new TokenInvalid('algorithm')
  if ((typ !== null && !isText(typ)) || (kid !== null && !isText(kid)))
    throw new TokenInvalid('header')
  return { alg, typ, kid }
}

/** Tokens of one key have identical headers, so parsed headers are cached. */
const headerOf = (text: string): JoseHeader => {
  const known = headers.get(text)
  if (known) return known
  const header = parseHeader(text)
  headers.set(text, header)
  return header
}

/** Header, payload and signature of a JWS; null when the token is not one. */
export const partsOf = (token: string): [string, string, string] | null => {
  const found = compact.exec(token)
  if (!found) return null
  const [, header = '', payload = '', signature = ''] = found
  const parts: [string, string, string] = [header, payload, signature]
  return parts.every(isCanonicalBase64url) ? parts : null
}

/** The JSON object in one part of a JWS; null when it contains none. */
export const decodePart = (text: string): JsonObject | null => {
  try {
    return parseStrictObject(decodeText(decodeBase64url(text)))
  } catch {
    return null
  }
}

/**
 * Splits a token into its parts.
 * @returns null when it is not a JWS at all
 * @throws TokenInvalid for a damaged token or an unsupported header
 */
export const parseCompact = (token: string): CompactJws | null => {
  const parts = partsOf(token)
  if (parts) {
    const [header, payload, signature] = parts
    const input = token.slice(0, token.length - signature.length - 1)
    return { header: headerOf(header), input, payload, signature }
  }
  // Every JOSE header starts with `{"` in base64url. JSON serialization starts with a plain `{`.
  if (/^(?:eyJ|\{)/.test(token)) throw new TokenInvalid('malformed')
  return null
}
