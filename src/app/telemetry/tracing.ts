// OpenTelemetry. It is loaded only when a collector is configured. No other folder imports its packages.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { TracingConfig } from '../../config/tracing.ts'
import { createRequestSpans, type TracedRequest } from './request-spans.ts'
import { createStoreSpans } from './store-spans.ts'

export interface TracingOptions extends TracingConfig {
  /** Addresses and CIDR ranges whose `traceparent` is trusted. */
  trustedProxies: readonly string[]
  /** @param cause null when the collector accepted the spans */
  onExport(spans: number, cause: Error | null): void
  /** Receives what the SDK says of variables that it cannot use. It takes the default for these. */
  onFault(words: string): void
}

const flushTimeout = 1000 // ms

/** Wraps an exporter and reports its results. */
const observedExporter = (
  exporter: SpanExporter,
  onExport: TracingOptions['onExport'],
): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      const isAccepted = result.code === ExportResultCode.SUCCESS
      onExport(spans.length, isAccepted ? null : (result.error ?? new Error('not exported')))
      done(result)
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
})

/**
 * Starts tracing, by the variables of OpenTelemetry in the environment. Spans wait in a bounded queue and are sent outside requests. When the queue is full or the collector
 * is unavailable, spans are dropped and requests are not affected.
 */
export const startTracing = (options: TracingOptions) => {
  Object.assign(process.env, options.headers)
  const silent = () => undefined
  const logger = { error: options.onFault, warn: options.onFault, info: silent }
  diag.setLogger({ ...logger, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  const exporter = observedExporter(new OTLPTraceExporter(), options.onExport)
  const resource = resourceFromAttributes({ 'service.name': 'latchkey' })
  const provider = new BasicTracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  const tracer = provider.getTracer('latchkey')
  // Failed exports are counted, and logged when they begin.
  diag.disable()
  const active = new AsyncLocalStorage<TracedRequest>()

  return {
    /** Creates a span per request. Must run before other hooks of the server. */
    watch: createRequestSpans(tracer, active, options.trustedProxies),
    /** Creates a span for a statement or script below the span of its request. Does nothing outside a request. */
    roundTrip: createStoreSpans(tracer, active),
    /** Sends buffered spans without waiting for the result. */
    flush: () => void provider.forceFlush().catch(() => undefined),
    /** Sends buffered spans and gives up after a second. */
    close: async () => {
      const late = new AbortController()
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([
        sent,
        sleep(flushTimeout, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
    },
  }
}

export type Tracing = ReturnType<typeof startTracing>
