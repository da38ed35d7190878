// A request arrives with the path of the issuer, without it, or at an alias. All other code knows only our own paths: this
// file converts them where requests arrive and where pages and redirects leave.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { endpointPaths, type Place } from '../../core/language/endpoints.ts'

declare module 'http' {
  interface IncomingMessage {
    /** The alias at which the request arrived, without the path of the issuer. */
    alias?: string
  }
}

/** Attributes of our pages that hold an address. A path of another host, `//…`, stays. */
const localAddress = /(\s(?:href|src|action|formaction|data-(?:options|pick|sentence))=")\/(?!\/)/g

/** Puts the addresses of a page below the path of the issuer. Values of others cannot contain the quote. */
export const pageBelow =
  (prefix: string) =>
  (html: string): string =>
    prefix === '' ? html : html.replace(localAddress, `$1${prefix}/`)

/** Puts the redirects to our own paths below the path of the issuer, after all hooks have seen them. */
const redirectBelow = (prefix: string, response: ServerResponse) => {
  const write = response.writeHead as (status: number, headers?: object) => ServerResponse
  const writeHead = (status: number, headers: { location?: unknown } = {}) => {
    const { location } = headers
    const isOwn = typeof location === 'string' && /^\/(?!\/)/.test(location)
    const sent = isOwn ? { ...headers, location: prefix + location } : headers
    return write.call(response, status, sent)
  }
  response.writeHead = writeHead as ServerResponse['writeHead']
}

/** Reads the target of each request before it is counted, guarded or routed. */
export const readPaths = (
  { prefix, aliases }: Omit<Place, 'base'>,
  server: () => Pick<FastifyInstance, 'hasPath'>,
): ((listener: RequestListener) => RequestListener) => {
  // RFC 8414 §3.1 inserts the well-known path before the path of the issuer. Without one, these are our own paths.
  const inserted = new Map<string, string>(endpointPaths.metadata.map((one) => [one + prefix, one]))
  const aliased = new Map(aliases.map(({ path, endpoint }) => [path, endpointPaths[endpoint][0]]))
  if (prefix === '' && aliased.size === 0) return (listener) => listener

  const below = (path: string) => {
    if (prefix === '' || (path !== prefix && !path.startsWith(`${prefix}/`))) return null
    return path.slice(prefix.length) || '/'
  }

  /** A proxy may have removed the prefix from a path of ours that begins like it. */
  const ownPath = (path: string, inner: string | null) => {
    const { hasPath } = server()
    const isWhole = inner === null || (hasPath(path, prefix) && !hasPath(inner))
    return isWhole ? path : inner
  }

  const read = (request: IncomingMessage) => {
    // RFC 9112 §3.2.2: a target may be absolute.
    const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '')
    const end = target.search(/[?#]/)
    const path = (end < 0 ? target : target.slice(0, end)) || '/'
    const inner = below(path)
    const alias = [path, inner ?? path].find((one) => aliased.has(one))
    if (alias !== undefined) request.alias = alias
    const own = aliased.get(alias ?? '') ?? inserted.get(path) ?? ownPath(path, inner)
    request.url = own + (end < 0 ? '' : target.slice(end))
  }

  return (listener) => (request, response) => {
    read(request)
    if (prefix !== '') redirectBelow(prefix, response)
    listener(request, response)
  }
}
