import type { IncomingHttpHeaders } from 'node:http'
import {
  defaultTextMapGetter,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { createIpRanges, readIpAddress } from '../../core/language/ip-address.ts'

const propagator = new W3CTraceContextPropagator()

/** The span that a caller names as the parent (W3C Trace Context). */
const readRemote = (headers: IncomingHttpHeaders): SpanContext | null => {
  if (headers.traceparent === undefined) return null
  const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  const remote = trace.getSpanContext(context)
  return remote && isSpanContextValid(remote) ? remote : null
}

/** The scheme that the nearest proxy saw. */
const schemeOf = (headers: IncomingHttpHeaders) =>
  /(?:^|,)\s*https\s*$/i.test(String(headers['x-forwarded-proto'])) ? 'https' : 'http'

/**
 * Reads what the sender of a request says about its span. Only trusted proxies may set the parent span and the sampling
 * decision. Other callers get a new trace that links to theirs. Their `tracestate` is dropped, because it is free text.
 */
export const createReadSpanParent = (trustedProxies: readonly string[]) => {
  const isTrusted = createIpRanges(trustedProxies)
  return (peer: string, headers: IncomingHttpHeaders) => {
    const isProxy = isTrusted(readIpAddress(peer) ?? '')
    const scheme = isProxy ? schemeOf(headers) : 'http'
    const remote = readRemote(headers)
    if (!remote) return { context: ROOT_CONTEXT, links: [], scheme }
    if (isProxy) return { context: trace.setSpanContext(ROOT_CONTEXT, remote), links: [], scheme }
    const { traceId, spanId, traceFlags } = remote
    const link = { context: { traceId, spanId, traceFlags, isRemote: true } }
    return { context: ROOT_CONTEXT, links: [link], scheme }
  }
}
