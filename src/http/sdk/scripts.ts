import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { etagOf, isKnown } from '../server/etag.ts'

// As `npm run build` makes them from src/sdk.
const directory = new URL('../../../dist/sdk/', import.meta.url)
const names = ['v1.js', 'host-v1.js']

// An hour, because a fix must arrive; a day more while the browser asks whether there is one.
const caching = 'public, max-age=3600, stale-while-revalidate=86400'

/** The two scripts, for pages of any origin. Nothing in them depends on who asks. */
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
