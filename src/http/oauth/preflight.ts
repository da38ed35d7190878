import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type IsPublicOrigin, isOrigin } from './page-origin.ts'

/** Endpoints for the pages of public clients. `proves`: they take a DPoP proof (RFC 9449). */
const endpoints = {
  '/api/oauth/token': { methods: 'POST', headers: ['content-type'], proves: true },
  '/api/oauth/par': { methods: 'POST', headers: ['content-type'], proves: true },
  '/api/oauth/revoke': { methods: 'POST', headers: ['content-type'], proves: false },
  '/api/oauth/device_authorization': { methods: 'POST', headers: ['content-type'], proves: false },
  '/userinfo': { methods: 'GET, POST', headers: ['authorization', 'content-type'], proves: true },
}

/** Documents for every page. */
const documents = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
  '/sdk/v1/configuration',
]

/** Clients of the Model Context Protocol send it with each request, discovery included. */
const protocolVersion = 'mcp-protocol-version'

const wanted = ({ headers }: FastifyRequest): string[] =>
  (headers['access-control-request-headers'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[a-z0-9-]{1,64}$/.test(name))

const allow = (reply: FastifyReply, origin: string, methods: string, headers: string[]) =>
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', headers.join(', '))
    .header('access-control-max-age', '600')

/** CORS preflight of what a page may call (Fetch standard, §3.2). */
export const preflight =
  (deps: { isPublicOrigin: IsPublicOrigin }) => async (scope: FastifyInstance) => {
    for (const [url, { methods, headers, proves }] of Object.entries(endpoints)) {
      const known = [protocolVersion, ...(proves ? ['dpop'] : [])]
      scope.options(url, async (request, reply) => {
        const { origin } = request.headers
        reply.code(204).header('vary', 'Origin, Access-Control-Request-Headers')
        if (origin !== undefined && isOrigin(origin) && (await deps.isPublicOrigin(origin))) {
          const more = known.filter((name) => wanted(request).includes(name))
          allow(reply, origin, methods, [...headers, ...more])
        }
        return reply.send()
      })
    }
    for (const url of documents) {
      scope.options(url, (request, reply) => {
        reply.code(204).header('vary', 'Access-Control-Request-Headers')
        return allow(reply, '*', 'GET, HEAD', wanted(request)).send()
      })
    }
  }
