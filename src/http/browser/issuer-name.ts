import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../../core/clients/redirect-uri.ts'

/** A name of this computer, and a port. A browser keeps the cookies and passkeys of each name apart. */
const ownHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

interface Names {
  issuer: string
  place: { prefix: string }
  /** A further origin of ours, which keeps its name. */
  legacyOrigin: string | null
  /** @param target a path, perhaps with a query */
  isPage(target: string): boolean
}

/**
 * If the issuer is a name of this computer, a page that a browser requests by another of these names is redirected to it.
 * The port stays, for a tunnel or another instance.
 */
export const leadToIssuerName = (
  scope: FastifyInstance,
  { issuer, place, legacyOrigin, isPage }: Names,
): void => {
  const { hostname, protocol } = new URL(issuer)
  if (!isLoopback(new URL(issuer))) return
  const kept = [hostname, legacyOrigin && new URL(legacyOrigin).hostname]
  scope.addHook('onRequest', async ({ method, headers, raw, routeOptions }, reply) => {
    const [, name, port = ''] = ownHost.exec(headers.host ?? '') ?? []
    const isRead = method === 'GET' || method === 'HEAD'
    if (!name || !isRead || kept.includes(name.toLowerCase())) return
    const target = raw.url ?? ''
    // No route: the page that says so has no address. RFC 9112 §3.2.2: a target may be absolute.
    if (routeOptions.url === undefined || !target.startsWith('/') || !isPage(target)) return
    const path = target.replace(/^[^?]*/, (own) => raw.alias ?? own)
    const address = `${protocol}//${hostname}${port}${place.prefix}${path}`
    return reply.header('cache-control', 'no-store').redirect(address, 302)
  })
}
