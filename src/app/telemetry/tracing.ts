// What lives here: OpenTelemetry. Loaded only where a collector is configured; no other folder imports its packages.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { TracingConfig } from '../../config/tracing.ts'
import { createRequestSpans, type TracedRequest } from './request-spans.ts'
import { samplerOf } from './sampler.ts'
import { createStoreSpans } from './store-spans.ts'

export interface Tracing {
  /** A span for each request; before any other hook of the server. */
  watch(server: FastifyInstance): void
  /** A span for a statement or script, below that of the request for which it was sent; for none without one. */
  roundTrip(store: 'postgres' | 'redis', statement: string, began: number, failed: boolean): void
  /** Sends what waits, without waiting for an answer. */
  flush(): void
  /** Sends what waits, and gives up after a second: nobody waits for a collector. */
  close(): Promise<void>
}

export interface TracingOptions extends TracingConfig {
  /** Addresses and CIDR ranges whose `traceparent` is believed. */
  trustedProxies: readonly string[]
  /** @param cause null: the collector has taken them */
  onExport(spans: number, cause: Error | null): void
}

const flushTimeout = 1000 // ms

/** The same exporter, whose failures are told to somebody. */
const observedExporter = (
  exporter: SpanExporter,
  hear: TracingOptions['onExport'],
): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS
      hear(spans.length, isTaken ? null : (result.error ?? new Error('not exported')))
      done(result)
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
})

/**
 * Begins to trace. Spans wait in a bounded queue and are sent beside the requests; when the queue is full or the
 * collector away they are dropped, and no request hears of it.
 */
export const startTracing = (options: TracingOptions): Tracing => {
  const { url, headers, timeout } = options
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeout })
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: samplerOf(options.sampler, options.ratio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: observedExporter(exporter, options.onExport),
        scheduledDelayMillis: options.exportEvery,
        maxQueueSize: options.mostWaiting,
        maxExportBatchSize: Math.min(512, options.mostWaiting),
        exportTimeoutMillis: timeout + 1000,
      }),
    ],
  })
  const tracer = provider.getTracer('latchkey')
  const active = new AsyncLocalStorage<TracedRequest>()

  return {
    watch: createRequestSpans(tracer, active, options.trustedProxies),
    roundTrip: createStoreSpans(tracer, active),
    flush: () => void provider.forceFlush().catch(() => undefined),
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
