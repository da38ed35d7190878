import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../http/server/etag.ts'
import { type Coding, sendStaticFile } from '../../http/server/static-file.ts'
import type { Renderer } from './render.ts'

// The output of `npm run build` from docs/*.md. Only names are kept in memory. A page is read when it is requested.
const directory = new URL('../../../dist/docs/', import.meta.url)

/** `slug`: the path below `/docs/`; empty for the index page. */
type Listed = { slug: string; title: string }

const imageTypes: Record<string, string> = { png: 'image/png', svg: 'image/svg+xml' }

// Browsers reuse a page for a while. Then the entity tag shows whether it has changed.
const caching = 'public, max-age=300'

// They work in other threads: a page takes 20 ms, once.
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The documentation. It is the same for everyone, so the session is not read and no cookie is set. */
export const documentation = (scope: FastifyInstance, renderer: Renderer) => {
  const listed = JSON.parse(readFileSync(new URL('pages.json', directory), 'utf8')) as Listed[]
  const titles = new Map(listed.map(({ slug, title }) => [slug, title]))
  const images = new Set(readdirSync(new URL('images/', directory)))
  const kept = new Map<string, Promise<Buffer>>()

  // Pages have the name of the server, which no build knows, so each is compressed when it is first asked for.
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    body: string | Buffer,
    type: string,
  ) => {
    const etag = etagOf(body)
    const compressed = (coding: Coding) => {
      if (type === imageTypes.png) return undefined
      const result = kept.get(coding + etag) ?? compress[coding](body)
      kept.set(coding + etag, result)
      return result
    }
    return sendStaticFile(request, reply, { body, type, etag, compressed }, caching)
  }

  const page = async (
    request: FastifyRequest,
    reply: FastifyReply,
    slug: string,
    title: string,
  ) => {
    const html = await readFile(new URL(`pages/${slug || 'index'}.html`, directory), 'utf8')
    const document = await renderer.document(reply, { title, html })
    return send(request, reply, document, 'text/html; charset=utf-8')
  }
  const image = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const type = imageTypes[name.slice(name.lastIndexOf('.') + 1)] as string
    return send(request, reply, await readFile(new URL(`images/${name}`, directory)), type)
  }

  /** Reads only listed files, whatever name is requested. */
  const find = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const title = titles.get(name)
    if (title !== undefined) return page(request, reply, name, title)
    const file = name.startsWith('images/') ? name.slice('images/'.length) : ''
    if (images.has(file)) return image(request, reply, file)
    const slug = name.replace(/\/$/, '')
    if (slug !== name && titles.has(slug)) return reply.redirect(`/docs/${slug}`, 308)
    return renderer.noDocument(request, reply)
  }

  const method = ['GET', 'HEAD']
  scope.route({ method, url: '/docs', handler: (request, reply) => find(request, reply, '') })
  scope.route<{ Params: { '*': string } }>({
    method,
    url: '/docs/*',
    handler: (request, reply) => {
      const name = request.params['*']
      return name === '' ? reply.redirect('/docs', 308) : find(request, reply, name)
    },
  })
}
