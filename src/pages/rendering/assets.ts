import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assets as files } from '../../http/server/assets.ts'
import { sendStaticFile } from '../../http/server/static-file.ts'
import type { Renderer } from './render.ts'

const fiveMinutes = 'public, max-age=300'
const aDay = 'public, max-age=86400'
const forever = 'public, max-age=31536000, immutable'
/** What browsers ask for by themselves, also beside an answer that is no page. */
const icons = {
  '/favicon.ico': 'favicon.ico',
  '/apple-touch-icon.png': 'apple-touch-icon.png',
  '/apple-touch-icon-precomposed.png': 'apple-touch-icon.png',
}

export const assets = (scope: FastifyInstance, renderer: Renderer) => {
  type Named = FastifyRequest<{ Params: { name: string } }>
  scope.get('/assets/:name', async (request: Named, reply) => {
    const [stem, digest, ending = digest, ...rest] = request.params.name.split('.')
    const file = rest.length > 0 ? undefined : files.get(`${stem}.${ending}`)
    if (!file) return renderer.notFound(request, reply)
    // While instances are replaced, a page of one asks another for a digest that is not known there.
    const caching = digest === file.digest ? forever : fiveMinutes
    return sendStaticFile(request, reply, file, caching)
  })
  for (const [path, name] of Object.entries(icons)) {
    const file = files.get(name)
    if (file) scope.get(path, (request, reply) => sendStaticFile(request, reply, file, aDay))
  }
  // The accent is in the path, so the stylesheet never changes.
  type Coloured = FastifyRequest<{ Params: { digits: string } }>
  scope.get('/assets/accent/:digits(^[0-9a-f]{6}).css', async ({ params }: Coloured, reply) =>
    reply
      .header('cache-control', forever)
      .type('text/css; charset=utf-8')
      .send(`:root { --brand-accent: #${params.digits}; }\n`),
  )
}
