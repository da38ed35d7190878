import type { FastifyInstance } from 'fastify'
import { type IsPublicOrigin, isOrigin } from './page-origin.ts'

const endpoints = {
  '/api/oauth/token': { methods: 'POST', headers: 'content-type', proves: true },
  '/api/oauth/par': { methods: 'POST', headers: 'content-type', proves: true },
  '/api/oauth/revoke': { methods: 'POST', headers: 'content-type', proves: false },
  '/userinfo': { methods: 'GET, POST', headers: 'authorization, content-type', proves: true },
}

/** Only pages that use DPoP (RFC 9449) need this header. */
const asksForProof = (wanted: string | undefined) =>
  wanted?.split(',').some((name) => name.trim().toLowerCase() === 'dpop') ?? false

/** CORS preflight of the endpoints that a public client's page may call (Fetch standard, §3.2). */
export const preflight =
  (deps: { isPublicOrigin: IsPublicOrigin }) => async (scope: FastifyInstance) => {
    for (const [url, { methods, headers, proves }] of Object.entries(endpoints)) {
      scope.options(url, async (request, reply) => {
        const { origin, 'access-control-request-headers': wanted } = request.headers
        reply.code(204).header('vary', 'Origin, Access-Control-Request-Headers')
        if (origin !== undefined && isOrigin(origin) && (await deps.isPublicOrigin(origin))) {
          reply
            .header('access-control-allow-origin', origin)
            .header('access-control-allow-methods', methods)
            .header(
              'access-control-allow-headers',
              proves && asksForProof(wanted) ? `${headers}, dpop` : headers,
            )
            .header('access-control-max-age', '600')
        }
        return reply.send()
      })
    }
  }
