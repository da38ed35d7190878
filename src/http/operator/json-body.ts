import type { FastifyInstance } from 'fastify'

const largestBody = 64 * 1024 // bytes

/**
 * Takes JSON and nothing else: no form of a foreign page can be one (415). An empty body counts as none, and
 * none as an object without fields. `__proto__` is refused by the parser.
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
