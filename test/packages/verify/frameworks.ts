/** One data API in each framework, so that all of them get the same tests. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createRequireToken as forExpress } from '../../../packages/verify/src/express/express.ts'
import type { GuardOptions } from '../../../packages/verify/src/guard.ts'
import {
  createRequireToken as forHono,
  type RoutedContext,
} from '../../../packages/verify/src/hono/hono.ts'
import {
  createRequireToken as forNode,
  type ReceivedRequest,
} from '../../../packages/verify/src/node/node.ts'
import { type Access, legacyCredential } from '../../../packages/verify/src/verify.ts'

const { resolve } = createRequire(import.meta.filename)

// biome-ignore lint/suspicious/noExplicitAny: the frameworks' types are the matter of test/packages/consumers.test.ts
const load = async (name: string): Promise<any> => {
  const module = await import(resolve(name))
  return module.default ?? module
}

export interface Framework {
  name: string
  /** Starts the API; throws TypeError for incomplete options. */
  start(options: GuardOptions): Promise<Server>
}

const listen = async (listener: RequestListener): Promise<Server> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export const addressOf = (server: Server) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const organization = 'org1'
const ofToken = ({ access }: { access: Access }) => access.organizationId
const failing = () => {
  throw new Error('of the route')
}

/** The requirements that are the same everywhere. */
const create = { organization, permissions: ['records:create'] }
const remove = { organization, permissions: ['records:delete'] }

const expressOf = (name: string): Framework => ({
  name,
  start: async (options) => {
    const express = await load(name)
    const requireToken = forExpress(options)
    const app = express()
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = (request: any, response: any) => response.json(request.access ?? null)
    app.set('env', 'test')
    app.use(express.json())
    app.get('/any', requireToken({ organization: ofToken }), answer)
    app.get('/create', requireToken(create), answer)
    app.get('/delete', requireToken(remove), answer)
    app.get(
      '/workspaces/:id',
      requireToken({ organization, workspace: ({ request }) => request.params.id }),
      answer,
    )
    app.get('/nowhere', requireToken({ organization: ({ request }) => request.params.id }), answer)
    app.get('/lacking', requireToken({ organization: () => null }), answer)
    app.get('/failing', requireToken({ organization: failing }), answer)
    app.post(
      '/legacy',
      requireToken({
        interface: 'legacy',
        organization,
        token: ({ body }) => legacyCredential(body.variables),
      }),
      answer,
    )
    // biome-ignore lint/suspicious/noExplicitAny: as above
    app.use((_error: unknown, _request: any, response: any, _next: unknown) =>
      response.status(500).end(),
    )
    return listen(app)
  },
})

const hono: Framework = {
  name: 'hono',
  start: async (options) => {
    const { Hono } = await import(resolve('hono'))
    const { getRequestListener } = await import(resolve('@hono/node-server'))
    const requireToken = forHono(options)
    const app = new Hono()
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = (context: any) => context.json(context.get('access') ?? null)
    const bodies = new WeakMap<object, { variables?: unknown }>()
    app.get('/any', requireToken({ organization: ofToken }), answer)
    app.get('/create', requireToken(create), answer)
    app.get('/delete', requireToken(remove), answer)
    app.get(
      '/workspaces/:id',
      requireToken({ organization, workspace: ({ request }) => request.req.param('id') }),
      answer,
    )
    app.get(
      '/nowhere',
      requireToken({ organization: ({ request }) => request.req.param('id') }),
      answer,
    )
    app.get('/lacking', requireToken({ organization: () => null }), answer)
    app.get('/failing', requireToken({ organization: failing }), answer)
    app.post(
      '/legacy',
      // biome-ignore lint/suspicious/noExplicitAny: as above
      async (context: any, next: () => Promise<void>) => {
        bodies.set(context, await context.req.json())
        await next()
      },
      requireToken<RoutedContext>({
        interface: 'legacy',
        organization,
        token: (context) => legacyCredential(bodies.get(context)?.variables),
      }),
      answer,
    )
    return listen(getRequestListener(app.fetch))
  },
}

const node: Framework = {
  name: 'node:http',
  start: async (options) => {
    const requireToken = forNode(options)
    const idIn = ({ request: { url = '' } }: { request: ReceivedRequest }) =>
      /^\/workspaces\/(\w+)$/.exec(url)?.[1]
    let body: { variables?: unknown } = {}
    const routes: Record<string, ReturnType<typeof requireToken>> = {
      any: requireToken({ organization: ofToken }),
      create: requireToken(create),
      delete: requireToken(remove),
      workspaces: requireToken({ organization, workspace: idIn }),
      nowhere: requireToken({ organization: idIn }),
      lacking: requireToken({ organization: () => null }),
      failing: requireToken({ organization: failing }),
      legacy: requireToken({
        interface: 'legacy',
        organization,
        token: () => legacyCredential(body.variables),
      }),
    }
    const names = new RegExp(Object.keys(routes).join('|'))
    return listen(async (request, response) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        if (chunks.length > 0) body = JSON.parse(Buffer.concat(chunks).toString())
        const [name = ''] = names.exec(request.url ?? '') ?? []
        const access = await routes[name]?.(request, response)
        if (access) response.end(JSON.stringify(access))
      } catch {
        response.writeHead(500).end()
      }
    })
  },
}

export const frameworks = [expressOf('express'), expressOf('express4'), hono, node]
