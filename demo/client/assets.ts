import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { demoViews, serverAssets } from '../locations.ts'

const demoAssets = new URL('assets/', demoViews)
const assets = {
  'latchkey.css': [serverAssets, 'text/css; charset=utf-8'],
  'latchkey.svg': [serverAssets, 'image/svg+xml'],
  'demo.css': [demoAssets, 'text/css; charset=utf-8'],
  'fragment.js': [demoAssets, 'text/javascript; charset=utf-8'],
  'framed-app.js': [demoAssets, 'text/javascript; charset=utf-8'],
  'platform.js': [demoAssets, 'text/javascript; charset=utf-8'],
  'pocket-tables.js': [demoAssets, 'text/javascript; charset=utf-8'],
  'subscription.js': [demoAssets, 'text/javascript; charset=utf-8'],
  'wire.js': [demoAssets, 'text/javascript; charset=utf-8'],
} as const

/** The server's stylesheet and the demo's own assets, read once. */
export const assetRoutes = (scope: FastifyInstance) => {
  for (const [name, [folder, type]] of Object.entries(assets)) {
    const body = readFileSync(new URL(name, folder))
    scope.get(`/assets/${name}`, async (_request, reply) => reply.type(type).send(body))
  }
}
