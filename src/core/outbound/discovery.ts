// The metadata of an issuer names its keys (OpenID Connect Discovery 1.0 §4, RFC 8414 §3).
import {
  type DocumentBounds,
  type FetchDocument,
  type FetchedDocument,
  FetchFailed,
} from './fetch-document.ts'
import { freshSeconds } from './freshness.ts'

/** Where an issuer has its keys. */
export interface Discovered {
  jwksUri: string
  /** Milliseconds since 1970. */
  freshUntil: number
}

/** A document was fetched, but is not what it should be. */
export class DocumentMalformed extends Error {}

const mostBytes = 64 * 1024
const seconds = 5
/** Seconds for which the metadata may be used. */
const bounds = { least: 60, most: 600 }

/** OpenID Connect appends the well-known path, RFC 8414 §3.1 puts it before the path of the issuer. */
const metadataUrls = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

/** @throws DocumentMalformed */
export const objectOf = ({ body }: FetchedDocument): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw new DocumentMalformed('the document is not JSON', { cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new DocumentMalformed('the document is not an object')
}

/**
 * Reads the metadata of an issuer, which must name that very issuer (RFC 8414 §3.3).
 * @throws FetchFailed, DocumentMalformed, OutboundBusy
 */
export const discover = async (
  issuer: string,
  fetchDocument: FetchDocument,
  { owner, signal }: Required<Pick<DocumentBounds, 'owner' | 'signal'>>,
  now: () => number,
): Promise<Discovered> => {
  if (!URL.canParse(issuer)) throw new FetchFailed('address')
  const [first, second] = metadataUrls(issuer) as [string, string]
  const fetch = (url: string) =>
    fetchDocument(url, { mostBytes, seconds, accept: 'application/json', owner, signal })
  const document = await fetch(first).catch((error) => {
    if (error instanceof FetchFailed && error.reason === 'status') return fetch(second)
    throw error
  })
  const { issuer: named, jwks_uri: jwksUri } = objectOf(document)
  if (named !== issuer) throw new DocumentMalformed('the metadata names another issuer')
  if (typeof jwksUri !== 'string') throw new DocumentMalformed('the metadata names no keys')
  return { jwksUri, freshUntil: now() + freshSeconds(document, now(), bounds) * 1000 }
}
