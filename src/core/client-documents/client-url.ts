// The rules for the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document §3).
import { uriCharacters } from '../clients/redirect-uri.ts'
import { longestClientUrl } from '../crypto/identifiers.ts'

const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i

/**
 * Why this text cannot be a client id; null: it can. URLs are compared as text, so one that a parser would change is
 * refused: it has dot segments, a default port, or a host in capitals or in other letters than ASCII.
 */
export const clientUrlFault = (text: string): string | null => {
  if (text.length > longestClientUrl) return `is longer than ${longestClientUrl} characters`
  if (!uriCharacters.test(text)) return 'has characters that a URI cannot have'
  if (!text.startsWith('https://')) return 'must begin with https://'
  if (!URL.canParse(text)) return 'is not an absolute URL'
  if (text.includes('#')) return 'has a fragment'
  const url = new URL(text)
  if (url.username || url.password || /^https:\/\/[^/?]*@/.test(text)) return 'has user information'
  if (dotSegment.test(text.split('?', 1)[0] as string)) return 'has a dot segment'
  if (url.pathname === '/') return 'has no path'
  return url.href === text ? null : 'is not in its normal form'
}

/** The host of a client URL, with a port that is not 443. */
export const hostOfClient = (clientUrl: string) => new URL(clientUrl).host

/** Why this text cannot name a host; null: it can. */
export const hostFault = (host: string): string | null => {
  const url = `https://${host}/`
  return /^[a-z0-9.:[\]_-]{1,255}$/.test(host) && URL.canParse(url) && new URL(url).host === host
    ? null
    : 'must be a host in lower case, with its port if that is not 443'
}

/** Servers read these in different ways, so a path with one of them may lead out of a prefix. */
const ambiguous = ['%', ';', '\\', '//']

const isPlain = (path: string) => !ambiguous.some((one) => path.includes(one))

/** Why this text cannot be the beginning of paths; null: it can. */
export const pathPrefixFault = (prefix: string): string | null => {
  const url = `https://host${prefix}`
  const isPath = prefix.startsWith('/') && URL.canParse(url) && new URL(url).pathname === prefix
  return isPath && isPlain(prefix)
    ? null
    : 'must be a path that begins with /, without dot segments, %, ;, \\, //, query and fragment'
}

/** Is the path of a client URL this one, or within it? Whole segments and their case count. */
export const isUnder = (prefix: string, clientUrl: string): boolean => {
  const { pathname } = new URL(clientUrl)
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`
  return isPlain(pathname) && (pathname === prefix || pathname.startsWith(folder))
}
