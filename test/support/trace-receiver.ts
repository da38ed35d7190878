import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'
import { eventually } from './eventually.ts'

/**
 * The part of OTLP that a collector needs.
 * @see https://github.com/open-telemetry/opentelemetry-proto
 */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    repeated Link links = 13;
    Status status = 15;
  }
  message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string string_value = 1;
      bool bool_value = 2;
      int64 int_value = 3;
      double double_value = 4;
      ArrayValue array_value = 5;
      KeyValueList kvlist_value = 6;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
`)
const Request = root.lookupType('Request')

export type Attributes = Record<string, string | number | boolean>

/** A received span. */
export interface ReceivedSpan {
  traceId: string
  id: string
  /** Empty for the first of a trace. */
  parentId: string
  name: string
  /** 2 server, 3 client. */
  kind: number
  start: number
  end: number
  attributes: Attributes
  resource: Attributes
  links: { traceId: string; spanId: string; traceState: string }[]
  traceState: string
  /** 2 is an error. */
  status: number
}

interface Pair {
  key: string
  value: Record<string, string | number | boolean>
}

interface WireSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  traceState: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Pair[]
  links: { traceId: string; spanId: string; traceState: string }[]
  status: { code: number } | null
}

const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')
const attributesOf = (pairs: Pair[]): Attributes =>
  Object.fromEntries(
    pairs.map(({ key, value }) => {
      const [kind, one] = Object.entries(value)[0] ?? ['', '']
      return [key, kind === 'intValue' ? Number(one) : one]
    }),
  )

const spanOf = (span: WireSpan, resource: Attributes): ReceivedSpan => ({
  traceId: hex(span.traceId),
  id: hex(span.spanId),
  parentId: hex(span.parentSpanId),
  name: span.name,
  kind: span.kind,
  start: Number(span.startTimeUnixNano) / 1e6,
  end: Number(span.endTimeUnixNano) / 1e6,
  attributes: attributesOf(span.attributes),
  resource,
  links: span.links.map(({ traceId, spanId, traceState }) => ({
    traceId: hex(traceId),
    spanId: hex(spanId),
    traceState,
  })),
  traceState: span.traceState,
  status: span.status?.code ?? 0,
})

interface WireRequest {
  resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

const decode = (body: Buffer) =>
  Request.toObject(Request.decode(body), {
    longs: String,
    bytes: String,
    arrays: true,
    defaults: true,
    oneofs: false,
  }) as WireRequest

const spansOf = ({ resourceSpans }: WireRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const attributes = attributesOf(resource.attributes)
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(span, attributes)))
  })

const idsAndTimes = /^(trace|span|parentSpan)Id$|UnixNano$/
const withoutIdsAndTimes = (name: string, value: unknown) =>
  idsAndTimes.test(name) ? undefined : value

export type CollectorAnswer = 'take' | 'refuse' | 'say nothing'

/** A collector for OTLP over HTTP in protobuf, which stores what it receives. */
export const startTraceReceiver = async (answer: CollectorAnswer = 'take') => {
  const bodies: Buffer[] = []
  const requests: { path: string; headers: Record<string, unknown> }[] = []
  const spans: ReceivedSpan[] = []
  const said: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(body)
    requests.push({ path: request.url ?? '', headers: request.headers })
    if (answer === 'say nothing') return
    if (answer === 'take') {
      const decoded = decode(body)
      spans.push(...spansOf(decoded))
      said.push(JSON.stringify(decoded, withoutIdsAndTimes))
    }
    response
      .writeHead(answer === 'take' ? 200 : 400, { 'content-type': 'application/x-protobuf' })
      .end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    requests,
    spans,
    /** All received bytes, as text. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    /** Their contents as JSON, without ids, which are random bytes, and times. */
    said: () => said.join('\n'),
    /** The environment of a server that exports its traces here at once. */
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10' },
    /** The first matching span, once it has arrived. */
    waitFor: async (isIt: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
      await eventually(() => spans.some(isIt))
      return spans.find(isIt) as ReceivedSpan
    },
    childrenOf: ({ id }: ReceivedSpan) => spans.filter((one) => one.parentId === id),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
