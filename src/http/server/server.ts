import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { fileURLToPath } from 'node:url'
import view from '@fastify/view'
import { Eta } from 'eta'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Place } from '../../core/language/endpoints.ts'
import { invalidRequest } from '../../core/language/errors.ts'
import { networkOf } from '../../core/language/ip-address.ts'
import { publicError, sendOAuthError } from '../oauth/oauth-errors.ts'
import type { Admission } from './admission.ts'
import { watchRoutes } from './allowed-methods.ts'
import { type Answered, brokenOff, watchAnswers } from './answers.ts'
import { assetPath } from './assets.ts'
import { createClientAddress } from './client-address.ts'
import { refuseUnparsable } from './client-errors.ts'
import { escapeHtml } from './escape.ts'
import { buildLazySerializer } from './lazy-schemas.ts'
import { serveInOrder } from './pipelining.ts'
import { createRefusals } from './refusals.ts'
import { newRequestId } from './request-id.ts'
import { pageBelow, readPaths } from './requested-path.ts'
import { securityHeaders } from './security-headers.ts'

export interface ServerOptions {
  logger: FastifyBaseLogger
  trustedProxies: string[]
  issuer: string
  /** Absent: our own paths only. */
  place?: Pick<Place, 'prefix' | 'aliases'>
  /** None: each request is served. */
  admission?: Admission
  /** Adds hooks before all others. */
  watch?: ((server: FastifyInstance) => void) | undefined
  /** Called for each request when it is over. */
  answered?: Answered
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is never displayed by a browser. */
    forPrograms?: boolean
  }
}

const views = fileURLToPath(new URL('../../../views/', import.meta.url))
const bodyLimit = 64 * 1024
/** Milliseconds without traffic after which a connection with a request under way is closed. */
const idleTimeout = 60_000

const listenInOrder = (listener: RequestListener) => {
  const server = createHttpServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000, // Node's default is 30 s
      requireHostHeader: false, // Node's own answer would have no headers
    },
    serveInOrder(listener, idleTimeout),
  )
  server.setTimeout(idleTimeout)
  // An unknown expectation is ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** The path without its query: codes, tokens and state never reach a log. */
const pathOf = (url: string | undefined) => (url ?? '').split(/[?#]/, 1)[0]?.slice(0, 200)

// RFC 9110 §5.3: these headers may be sent once. Node silently keeps the first of several.
const singular = ['authorization', 'content-type', 'host', 'origin']

/** RFC 9112 §3.2. */
export const lacksHost = ({ httpVersion, headers }: IncomingMessage) =>
  httpVersion === '1.1' && headers.host === undefined

/** @param rawHeaders alternating names and values, as they were sent */
const repeatsHeader = (rawHeaders: readonly string[]) => {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = 1 << singular.indexOf((rawHeaders[at] as string).toLowerCase())
    if (bit > 0 && (seen & bit) !== 0) return true
    if (bit > 0) seen |= bit
  }
  return false
}

/**
 * Creates the Fastify server with everything that all fronts share: limits, timeouts, security headers, request ids,
 * sparse logs.
 */
export const createServer = async (options: ServerOptions): Promise<FastifyInstance> => {
  const { admission, logger, place = { prefix: '', aliases: [] } } = options
  const headers = securityHeaders(options.issuer)
  const addressOf = createClientAddress(options.trustedProxies)
  const refuse = createRefusals(headers.people, (counts) =>
    logger.warn(counts, 'refused requests: the server is too busy'),
  )
  const admitted = (listener: RequestListener): RequestListener => {
    if (!admission) return listener
    return (request, response) => {
      const network = networkOf(addressOf(request))
      if (admission.admits(request, network)) listener(request, response)
      else refuse(response, network)
    }
  }
  const received = readPaths(place, () => server)
  const server: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: true, // RFC 9110 §9.3.2; a route whose GET has an effect disables it
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    serverFactory: (listener) => listenInOrder(received(admitted(listener))),
    clientErrorHandler: refuseUnparsable(options.logger),
    // A client id can be a URL (`longestClientUrl`).
    routerOptions: { maxParamLength: 512 },
    // A path that cannot be decoded reaches no front. The answer does not echo it.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      void sendOAuthError(request as FastifyRequest, reply as FastifyReply, publicError(error))
    },
  })

  server.decorateRequest('ip', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw)
    },
  })
  server.decorateRequest('outcome', null)
  server.decorateRequest('secretAttempt', null)
  watchRoutes(server)
  options.watch?.(server)
  // Declared here because the plugin would otherwise create an object per request, and no page uses it.
  server.decorateReply('locals', null)
  await server.register(view, {
    engine: {
      eta: new Eta({ views, autoEscape: true, cache: true, escapeFunction: escapeHtml }),
    },
    root: views,
    viewExt: 'eta',
    defaultContext: { asset: assetPath },
    // The plugin's last step, on each page.
    options: { useHtmlMinifier: { minify: pageBelow(place.prefix) } },
  })

  server.addHook('onRequest', (request, reply, done) => {
    const { forPrograms } = request.routeOptions.config
    reply
      .headers(forPrograms ? headers.programs : headers.people)
      .header('x-request-id', request.id)
    if (request.raw.httpVersionMajor < 1) {
      // HTTP/0.9 has no headers and one request per connection. Data that follows must not be read as another request.
      reply.header('connection', 'close')
      return done(invalidRequest('the request names no version of HTTP', 'http_version'))
    }
    if (lacksHost(request.raw)) {
      reply.header('connection', 'close')
      return done(invalidRequest('the request has no Host header', 'no_host'))
    }
    const isRepeated = repeatsHeader(request.raw.rawHeaders)
    done(isRepeated ? invalidRequest('a header is repeated', 'repeated_header') : undefined)
  })
  watchAnswers(server, (request, status, ms) => {
    const { method, ip: address } = request
    const path = pathOf(request.raw.url)
    const message = status === brokenOff ? 'broken off' : 'answered'
    request.log.info({ method, path, status, ms: Math.round(ms), address }, message)
    options.answered?.(request, status, ms)
  })
  admission?.watch(server)
  return server
}
