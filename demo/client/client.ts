import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import view from '@fastify/view'
import { Eta } from 'eta'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { demoViewsFolder } from '../locations.ts'
import { assetRoutes } from './assets.ts'
import { callbackRoutes } from './callbacks.ts'
import { chapters, isChapter, pathOf } from './chapters.ts'
import { contentPolicy } from './content-policy.ts'
import type { DemoClient, DemoClientOptions } from './context.ts'
import { type Exchange, type PlannedRequest, send } from './exchange.ts'
import { startView, stepView } from './pages.ts'
import { platformRoutes } from './platform-page.ts'
import type { Chapter, Scene, Step } from './step.ts'
import { subscribe } from './subscription.ts'
import { createVisits, learn } from './visit.ts'

const cookieName = 'latchkey_demo'
const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax' } as const

const headersFor = (issuer: string) => ({
  'content-security-policy': contentPolicy(
    issuer,
    "script-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** Sends the requests of a step one after the other and stores what an app would store. */
const perform = async (chapter: Chapter, step: Step, scene: Scene) => {
  if (step.kind !== 'send' || step.blocked?.(scene)) return
  const exchanges: Exchange[] = []
  const sendAll = async (requests: readonly PlannedRequest[]) => {
    for (const planned of requests) {
      const exchange = await send(planned)
      if (planned.form.some(({ name }) => name === 'refresh_token')) learn(scene.track, exchange)
      exchanges.push(exchange)
    }
  }
  await sendAll(step.plan(scene))
  await sendAll(step.follow?.(scene, exchanges) ?? [])
  scene.visit.shown.set(pathOf(chapter, step), exchanges)
  const wanted = step.subscription?.(scene, exchanges)
  if (wanted && scene.dataApi && scene.visit.subscription?.state !== 'open') {
    scene.visit.subscription?.close()
    scene.visit.subscription = subscribe(scene.dataApi, wanted)
  }
}

const stepRoutes = (server: FastifyInstance, client: DemoClient) => {
  type Path = { Params: { chapter: string; step: string } }

  const found = (request: FastifyRequest<Path>, reply: FastifyReply) => {
    const { chapter: name, step: id } = request.params
    if (!isChapter(name)) return null
    const chapter = chapters[name]
    const step = chapter.steps.find((one) => one.id === id)
    const visit = client.visitOf(request, reply)
    const { issuer, dataApi, seeded } = client
    const scene = { issuer, dataApi, seeded, visit, track: visit.tracks[name] }
    return step && { chapter, step, scene }
  }

  server.get<Path>('/:chapter/:step', async (request, reply) => {
    const here = found(request, reply)
    if (!here) return reply.callNotFound()
    return client.page(reply, 'step', stepView(here.chapter, here.step, here.scene))
  })

  server.post<Path>('/:chapter/:step', async (request, reply) => {
    const here = found(request, reply)
    if (!here) return reply.callNotFound()
    await perform(here.chapter, here.step, here.scene)
    return reply.redirect(`${pathOf(here.chapter, here.step)}#answers`, 303)
  })
}

const errorPages = (server: FastifyInstance, client: DemoClient) => {
  const sorry = (reply: FastifyReply, status: number, title: string, lead: string) =>
    client.page(reply.code(status), 'sorry', { title, lead })
  server.setNotFoundHandler((_request, reply) =>
    sorry(reply, 404, 'Page not found', 'The page does not exist.'),
  )
  server.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const lead = `The request did not work: ${(error as Error).message}. Is the server still running?`
    return sorry(reply, status, 'Something went wrong', lead)
  })
}

/** Accepts only its own host name, so that cookies and redirects match, and forms only from its own pages. */
const guard = (server: FastifyInstance, url: string) => {
  const { host, origin } = new URL(url)
  server.addHook('onRequest', async (request, reply) => {
    const { headers, method } = request
    if (headers.host !== host) return reply.redirect(`${origin}${request.url}`, 302)
    if (method === 'POST' && headers.origin !== undefined && headers.origin !== origin)
      return reply.code(403).send('forms are accepted from this site only')
    return undefined
  })
}

/** Builds the demo client; it does not listen yet. */
export const createDemoClient = async (options: DemoClientOptions): Promise<FastifyInstance> => {
  const { issuer, url } = options
  const visits = createVisits()
  const headers = headersFor(issuer)
  const client: DemoClient = {
    ...options,
    visitOf: (request, reply) => {
      const known = visits.find(request.cookies[cookieName])
      if (known) return known
      const visit = visits.open()
      reply.setCookie(cookieName, visit.id, cookieOptions)
      return visit
    },
    page: async (reply, name, own) =>
      reply.headers({ ...headers, ...reply.getHeaders() }).view(name, { issuer, ...own }),
  }

  const server = Fastify({ logger: false, forceCloseConnections: true })
  guard(server, url)
  await server.register(cookie)
  await server.register(formbody)
  await server.register(view, {
    engine: { eta: new Eta({ views: demoViewsFolder, autoEscape: true, cache: true }) },
    root: demoViewsFolder,
    viewExt: 'eta',
  })
  assetRoutes(server)
  server.get('/', (_request, reply) => client.page(reply, 'start', startView(options.dataApi)))
  callbackRoutes(server, client)
  platformRoutes(server, client)
  stepRoutes(server, client)
  errorPages(server, client)
  return server
}
