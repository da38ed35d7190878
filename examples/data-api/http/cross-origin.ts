import type { FastifyInstance } from 'fastify'

/** Browser apps may use any origin: the API has no cookies, and a token is needed anyway. */
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

/**
 * Whether a websocket may be opened: programs send no Origin, and browsers send that of their page.
 * @param host of the API itself, whose pages are always allowed
 */
export const isAllowedOrigin = (
  origin: string | undefined,
  host: string | undefined,
  allowed: readonly string[],
): boolean => {
  if (origin === undefined || allowed.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
