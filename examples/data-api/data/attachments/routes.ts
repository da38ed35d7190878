import type { FastifyInstance } from 'fastify'
import parseRange from 'range-parser'
import type { Storage } from './storage.ts'

/** Of a hash of its organization, and 192 random bits. */
const keyPattern = /^[0-9a-f]{16}-[0-9a-f]{48}$/

const imageTypes = /^image\/(png|jpeg|gif|webp)$/
const harmlessTypes =
  /^(image\/(png|jpeg|gif|webp)|(audio|video)\/[\w.-]+|text\/(plain|csv)|application\/(pdf|zip|json))$/

/** Serves files of others, none of which may act as a page of the API. */
export const fileRoutes = (server: FastifyInstance, storage: Storage) => {
  server.route<{ Params: { key: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:key',
    handler: async (request, reply) => {
      const { key } = request.params
      reply.headers({
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      const about = keyPattern.test(key) ? await storage.about(key) : null
      if (!about) return reply.code(404).send({ error: 'there is no such file' })
      const { size, type } = about
      reply.headers({
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-disposition': imageTypes.test(type) ? 'inline' : 'attachment',
        'content-type': harmlessTypes.test(type) ? type : 'application/octet-stream',
      })
      const { range } = request.headers
      const ranges =
        request.method === 'GET' && range?.startsWith('bytes=') ? parseRange(size, range) : -2
      if (ranges === -1)
        return reply
          .code(416)
          .header('cache-control', 'no-store')
          .header('content-range', `bytes */${size}`)
          .send()
      // Several ranges, or none that can be read: the whole file.
      const one = typeof ranges === 'object' && ranges.length === 1 ? ranges[0] : undefined
      const { start, end } = one ?? { start: 0, end: size - 1 }
      if (one) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
      reply.header('content-length', end - start + 1)
      if (request.method === 'HEAD' || size === 0) return reply.send()
      return reply.send(await storage.read(key, start, end))
    },
  })
}
