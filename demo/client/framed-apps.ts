import view from '@fastify/view'
import { Eta } from 'eta'
import Fastify, { type FastifyInstance } from 'fastify'
import { apps } from '../cast.ts'
import { demoViewsFolder } from '../locations.ts'
import type { Seeded } from '../seed.ts'
import { assetRoutes } from './assets.ts'
import { contentPolicy } from './content-policy.ts'

export interface FramedAppsOptions {
  /** The server. */
  issuer: string
  /** The address of these apps. */
  url: string
  /** The origin of the page that may frame them. */
  platform: string
  seeded: Seeded
}

/** Two apps in frames of the platform, on a separate site. They consist of pages only. */
export const createFramedApps = async (options: FramedAppsOptions): Promise<FastifyInstance> => {
  const { issuer, platform, seeded } = options
  const policy = contentPolicy(issuer, `script-src 'self' ${issuer}`, `frame-ancestors ${platform}`)
  const server = Fastify({ logger: false, forceCloseConnections: true })
  await server.register(view, {
    engine: { eta: new Eta({ views: demoViewsFolder, autoEscape: true, cache: true }) },
    root: demoViewsFolder,
    viewExt: 'eta',
  })
  assetRoutes(server)
  for (const key of ['recordCards', 'rowCounter'] as const) {
    const { name, callback } = apps[key]
    server.get(callback, (_request, reply) =>
      reply
        .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
        .view('framed-app', { issuer, name, clientId: seeded.apps[key].clientId }),
    )
  }
  return server
}
