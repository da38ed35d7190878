import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

export interface PlaygroundOptions {
  /** The public address of the API. */
  url: string
  issuer: string
  /** Apps that the playground signs in as; null: it says how to set one. */
  clientIds: { current: string | null; legacy: string | null }
}

const playgroundPath = '/playground'

/** Built beside the program, or from its sources. */
const folders = ['../playground/', '../dist/playground/'].map(
  (path) => new URL(path, import.meta.url),
)

const files = {
  '': ['page.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const

const policyOf = ({ url, issuer }: PlaygroundOptions) => {
  const { host, protocol } = new URL(url)
  const websocket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src data:",
    `connect-src 'self' ${websocket} ${new URL(issuer).origin}`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ')
}

/** GraphiQL: a playground of the legacy interface, and a schema explorer of the current one. */
export const playgroundRoutes = async (
  server: FastifyInstance,
  options: PlaygroundOptions,
): Promise<void> => {
  const folder = folders.find((one) => existsSync(new URL('page.js', one)))
  const headers = {
    'content-security-policy': policyOf(options),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  }
  const { issuer, clientIds } = options
  server.get(`${playgroundPath}/settings.json`, async (_request, reply) =>
    reply.headers(headers).send({ issuer, clientIds }),
  )
  for (const [path, [name, type]] of Object.entries(files)) {
    const content = folder ? await readFile(new URL(name, folder)) : null
    server.get(`${playgroundPath}${path}`, async (_request, reply) =>
      content
        ? reply.headers(headers).type(type).send(content)
        : reply.code(404).type('text/plain').send('`npm run build:all` builds the playground.\n'),
    )
  }
}
