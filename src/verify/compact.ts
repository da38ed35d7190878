import { isCanonicalBase64url } from '../core/crypto/base64url.ts'
import { TokenInvalid } from './errors.ts'
import { isText, type JsonObject, parseStrictObject } from './json.ts'
import { decodeBase64url, decodeText } from './platform.ts'
import { createRecent } from './recent.ts'

// RFC 7515 §2 base64url without padding.
const compact = /^([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)$/

// What changes how the rest is to be read, or brings a key of the token's own (RFC 8725 §3.9 and §3.10).
const refusedNames = ['crit', 'b64', 'zip', 'enc', 'cty', 'jku', 'jwk', 'x5u', 'x5c']

export interface JoseHeader {
  alg: string
  typ: string | null
  kid: string | null
}

/** A JWS in compact serialisation, taken apart; nothing of it is verified. */
export interface CompactJws {
  header: JoseHeader
  /** What was signed. */
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

/** All tokens of one key have the same header, letter for letter. */
const headerOf = (text: string): JoseHeader => {
  const known = headers.get(text)
  if (known) return known
  const header = parseHeader(text)
  headers.set(text, header)
  return header
}

/** Header, payload and signature of a JWS; null when it is none. */
export const partsOf = (token: string): [string, string, string] | null => {
  const found = compact.exec(token)
  if (!found) return null
  const [, header = '', payload = '', signature = ''] = found
  const parts: [string, string, string] = [header, payload, signature]
  return parts.every(isCanonicalBase64url) ? parts : null
}

/** The JSON object in one part of a JWS; null when there is none. */
export const decodePart = (text: string): JsonObject | null => {
  try {
    return parseStrictObject(decodeText(decodeBase64url(text)))
  } catch {
    return null
  }
}

/**
 * Takes a token apart.
 * @returns null when it is not a JWS at all
 * @throws TokenInvalid for one that is damaged or wants something unusual
 */
export const parseCompact = (token: string): CompactJws | null => {
  const parts = partsOf(token)
  if (parts) {
    const [header, payload, signature] = parts
    const input = token.slice(0, token.length - signature.length - 1)
    return { header: headerOf(header), input, payload, signature }
  }
  // `{"` in base64url begins every JOSE header; JSON serialisation begins with it as it is.
  if (/^(?:eyJ|\{)/.test(token)) throw new TokenInvalid('malformed')
  return null
}
