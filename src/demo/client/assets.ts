import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const views = new URL('../../../views/', import.meta.url)
const assets = {
  'latchkey.css': ['assets/latchkey.css', 'text/css; charset=utf-8'],
  'latchkey.svg': ['assets/latchkey.svg', 'image/svg+xml'],
  'demo.css': ['demo/assets/demo.css', 'text/css; charset=utf-8'],
  'fragment.js': ['demo/assets/fragment.js', 'text/javascript; charset=utf-8'],
  'framed-app.js': ['demo/assets/framed-app.js', 'text/javascript; charset=utf-8'],
  'platform.js': ['demo/assets/platform.js', 'text/javascript; charset=utf-8'],
  'pocket-tables.js': ['demo/assets/pocket-tables.js', 'text/javascript; charset=utf-8'],
} as const

/** The server's stylesheet and the demo's own assets, read once. */
export const assetRoutes = (scope: FastifyInstance) => {
  for (const [name, [path, type]] of Object.entries(assets)) {
    const body = readFileSync(new URL(path, views))
    scope.get(`/assets/${name}`, async (_request, reply) => reply.type(type).send(body))
  }
}
