import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Brand } from './view-models/frame.ts'

const directory = new URL('../../../views/assets/', import.meta.url)
const names = [
  ...['latchkey.css', 'documentation.css', 'latchkey.svg'],
  ...['copy.js', 'documentation.js', 'form-post.js', 'passkeys.js'],
  ...['show-password.js', 'sentence.js', 'workspaces.js'],
]
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  js: 'text/javascript; charset=utf-8',
}
const anHour = 'public, max-age=3600'

/** The stylesheet and other static files, read once at startup. */
export const assets = (scope: FastifyInstance, brand: Brand) => {
  for (const name of names) {
    const body = readFileSync(new URL(name, directory))
    const type = types[name.slice(name.lastIndexOf('.') + 1)] as string
    scope.get(`/assets/${name}`, async (_request, reply) =>
      reply.header('cache-control', anHour).type(type).send(body),
    )
  }
  const accent = brand.accent ? `:root { --brand-accent: ${brand.accent}; }\n` : ''
  scope.get('/assets/brand.css', async (_request, reply) =>
    reply.header('cache-control', anHour).type('text/css; charset=utf-8').send(accent),
  )
  // The accent of an organization is in the path, so the stylesheet never changes.
  scope.get<{ Params: { colour: string } }>('/assets/accent/:colour', async (request, reply) => {
    const [, digits] = /^([0-9a-f]{6})\.css$/.exec(request.params.colour) ?? []
    if (digits === undefined) return reply.code(404).header('cache-control', 'no-store').send()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css; charset=utf-8')
      .send(`:root { --brand-accent: #${digits}; }\n`)
  })
}

/** The stylesheet of an organization's accent. @param accent `#rrggbb` */
export const accentPath = (accent: string) => `/assets/accent/${accent.slice(1).toLowerCase()}.css`
