import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import {
  type Context,
  defaultTextMapGetter,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

const propagator = new W3CTraceContextPropagator()

/** The span that a caller names as the parent (W3C Trace Context). */
const readRemote = (headers: IncomingHttpHeaders): SpanContext | null => {
  if (headers.traceparent === undefined) return null
  const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  const remote = trace.getSpanContext(context)
  return remote && isSpanContextValid(remote) ? remote : null
}

/** Returns a test whether an address is in any of these ranges. */
const createRange = (addresses: readonly string[]) => {
  const list = new BlockList()
  for (const one of addresses) {
    const [address = '', prefix] = one.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address: string) =>
    isIP(address) > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The parent context and links of a request's span. */
export interface SpanParent {
  context: Context
  links: Link[]
}

/**
 * Only trusted proxies may set the parent span and the sampling decision. Other callers get a new trace that links to
 * theirs. Their `tracestate` is dropped, because it is free text.
 */
export const createReadSpanParent = (trustedProxies: readonly string[]) => {
  const isTrusted = createRange(trustedProxies)
  return (peer: string, headers: IncomingHttpHeaders): SpanParent => {
    const remote = readRemote(headers)
    if (!remote) return { context: ROOT_CONTEXT, links: [] }
    if (isTrusted(peer)) return { context: trace.setSpanContext(ROOT_CONTEXT, remote), links: [] }
    const { traceId, spanId, traceFlags } = remote
    return {
      context: ROOT_CONTEXT,
      links: [{ context: { traceId, spanId, traceFlags, isRemote: true } }],
    }
  }
}
