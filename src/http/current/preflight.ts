import type { FastifyInstance } from 'fastify'

const shape = /^https?:\/\/[A-Za-z0-9.[\]:-]{1,255}$/

/** CORS preflight of the endpoints that a public client's page may call (Fetch standard, §3.2). */
export const preflight =
  (deps: { isPublicOrigin(origin: string): Promise<boolean> }) =>
  async (scope: FastifyInstance) => {
    for (const url of ['/api/oauth/token', '/api/oauth/par', '/api/oauth/revoke']) {
      scope.options(url, async (request, reply) => {
        const { origin } = request.headers
        reply.code(204).header('vary', 'Origin')
        if (origin !== undefined && shape.test(origin) && (await deps.isPublicOrigin(origin))) {
          reply
            .header('access-control-allow-origin', origin)
            .header('access-control-allow-methods', 'POST')
            .header('access-control-allow-headers', 'content-type')
            .header('access-control-max-age', '600')
        }
        return reply.send()
      })
    }
  }
