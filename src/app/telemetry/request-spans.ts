import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestOutcome } from '../../http/oauth/outcome.ts'
import { createReadSpanParent } from './remote-parent.ts'

/** The span of the current request, and its clock. */
export interface TracedRequest {
  span: Span
  /** The time of day (ms) at performance.now() = 0. All spans of a request use this clock, even if the date jumps. */
  zero: number
}

/** Any other method is `_OTHER` (semantic conventions). */
const known = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH)$/

const methodOf = ({ method }: FastifyRequest) => (known.test(method) ? method : '_OTHER')

/** Names spans by the route pattern, never by the path, which contains ids and free text. */
const nameOf = (method: string, route: string | undefined) => {
  const verb = method === '_OTHER' ? 'HTTP' : method
  return route === undefined ? verb : `${verb} ${route}`
}

const describeOutcome = (span: Span, { outcome, reason, grant, clientId }: RequestOutcome) => {
  span.setAttributes({ 'latchkey.outcome': outcome, 'latchkey.reason': reason })
  if (grant) span.setAttribute('latchkey.grant', grant)
  if (clientId) span.setAttribute('latchkey.client_id', clientId)
}

const describeAnswer = (span: Span, request: FastifyRequest, reply: FastifyReply) => {
  if (request.outcome) describeOutcome(span, request.outcome)
  if (!reply.raw.headersSent) {
    span.setAttribute(ATTR_ERROR_TYPE, 'aborted')
    return
  }
  const status = reply.raw.statusCode
  span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status)
  if (status < 500) return
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute(ATTR_ERROR_TYPE, String(status))
}

/** Creates one server span per request and adds its trace id to each log line. */
export const createRequestSpans =
  (tracer: Tracer, active: AsyncLocalStorage<TracedRequest>, trustedProxies: readonly string[]) =>
  (server: FastifyInstance): void => {
    const beginningOf = createReadSpanParent(trustedProxies)
    const traced = new WeakMap<FastifyRequest, TracedRequest>()

    server.addHook('onRequest', (request, reply, done) => {
      const zero = Date.now() - performance.now()
      const { url: route } = request.routeOptions
      const method = methodOf(request)
      const { context, links, scheme } = beginningOf(
        request.socket.remoteAddress ?? '',
        request.headers,
      )
      const attributes = {
        [ATTR_HTTP_REQUEST_METHOD]: method,
        [ATTR_URL_SCHEME]: scheme,
        ...(route !== undefined && { [ATTR_HTTP_ROUTE]: route }),
      }
      const startTime = zero + performance.now()
      const span = tracer.startSpan(
        nameOf(method, route),
        { kind: SpanKind.SERVER, startTime, links, attributes },
        context,
      )
      const log = request.log.child({ trace_id: span.spanContext().traceId })
      request.log = log
      reply.log = log
      // Emitted once: at the end of the answer, or when the client disconnects.
      reply.raw.once('close', () => {
        describeAnswer(span, request, reply)
        span.end(zero + performance.now())
      })
      const one = { span, zero }
      traced.set(request, one)
      active.run(one, done)
    })
    // Reading a body loses the async context, because socket events belong to the connection.
    server.addHook('preValidation', (request, _reply, done) => {
      const one = traced.get(request)
      if (one) active.run(one, done)
      else done()
    })
  }
