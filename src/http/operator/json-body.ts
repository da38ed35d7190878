import type { FastifyInstance } from 'fastify'

const largestBody = 64 * 1024 // bytes

/**
 * Accepts JSON bodies only (others: 415), because a form of a foreign page cannot send JSON. An empty body counts as
 * none, and a missing body as an empty object. The parser refuses `__proto__`.
 */
export const acceptJsonOnly = (scope: FastifyInstance) => {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: largestBody },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else void parse(request, body as string, done)
    },
  )
  scope.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
  })
}
