import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import view from '@fastify/view'
import { Eta } from 'eta'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { invalidRequest } from '../domain/errors.ts'
import { publicError, sendOAuthError } from './oauth-errors.ts'

export interface ServerOptions {
  logger: FastifyBaseLogger
  trustedProxies: string[]
  /** Keys that sign cookies, newest first. */
  cookieKeys: string[]
  secure: boolean
}

const views = fileURLToPath(new URL('../../views/', import.meta.url))
const bodyLimit = 64 * 1024

/** The path without its query: codes, tokens and state never reach a log. */
const pathOf = (url: string | undefined) => (url ?? '').split(/[?#]/, 1)[0]?.slice(0, 200)

// RFC 9110 §5.3: of each of these there is one. Of several, Node keeps the first and says nothing.
const singular = new Set(['authorization', 'content-type', 'host', 'origin'])

const repeatsHeader = (rawHeaders: readonly string[]) => {
  const names = rawHeaders
    .filter((_, at) => at % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => singular.has(name))
  return new Set(names).size < names.length
}

/**
 * At its end Node waits for connections that do not count as idle at that moment: those on which nothing was ever
 * asked, such as a load balancer keeps ready, and those whose last answer is still to come, which are kept alive.
 */
const endConnections = (server: FastifyInstance) => {
  const silent = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.server.prependListener('request', ({ socket }) => void silent.delete(socket))
  let closing = false
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const socket of silent) socket.destroy()
  })
}

/** Fastify with what every front shares: limits, time-outs, security headers, request ids, quiet logs. */
export const createServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: options.logger,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    genReqId: () => `req_${randomBytes(12).toString('base64url')}`,
    requestIdHeader: false,
    bodyLimit,
    requestTimeout: 15_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000 },
    routerOptions: { maxParamLength: 200 },
    // A path that cannot be decoded reaches no front: refused without an echo of it.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      void sendOAuthError(request as FastifyRequest, reply as FastifyReply, publicError(error))
    },
  })

  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: options.secure
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xXssProtection: false,
  })
  await server.register(cookie, { secret: options.cookieKeys })
  await server.register(view, {
    engine: { eta: new Eta({ views, autoEscape: true, cache: true }) },
    root: views,
    viewExt: 'eta',
  })

  endConnections(server)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (repeatsHeader(request.raw.rawHeaders)) {
      throw invalidRequest('a header is repeated', 'repeated_header')
    }
  })
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request.raw.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
      },
      'answered',
    )
  })
  return server
}
