import type { FastifyInstance } from 'fastify'

/**
 * Apps that live in a browser may come from anywhere: there are no cookies here, and who has a token may use it.
 */
export const allowOtherOrigins = (server: FastifyInstance, path: string) => {
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'WWW-Authenticate, DPoP-Nonce, Retry-After',
    })
  })
  server.options(path, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Authorization, Content-Type, DPoP',
        'access-control-max-age': '3600',
      })
      .send(),
  )
}
