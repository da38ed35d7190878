import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { etagOf, isKnown } from '../server/etag.ts'

// The output of `npm run build`, from packages/sdk.
const directory = new URL('../../../dist/sdk/', import.meta.url)
const names = ['v1.js', 'host-v1.js']

// Cached for an hour, so that a fix arrives soon. For a day more, browsers may use the old version while they
// revalidate.
const caching = 'public, max-age=3600, stale-while-revalidate=86400'

/** The two scripts, for pages of any origin. Their content does not depend on the request. */
export const scripts = (scope: FastifyInstance) => {
  for (const name of names) {
    const body = readFileSync(new URL(name, directory))
    const etag = etagOf(body)
    scope.get(`/sdk/${name}`, async (request, reply) => {
      reply
        .header('etag', etag)
        .header('cache-control', caching)
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('text/javascript; charset=utf-8').send(body)
    })
  }
}
