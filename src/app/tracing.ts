// The wiring of traces.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import type { StoreObserver } from './stores.ts'
import type { Tracing } from './telemetry/tracing.ts'

/** OpenTelemetry costs memory and time, so it is loaded only when traces are configured. */
export const openTracing = async (
  { tracing, trustedProxies }: Config,
  metrics: Metrics,
  logger: FastifyBaseLogger,
): Promise<Tracing | null> => {
  if (tracing === null) return null
  const { startTracing } = await import('./telemetry/tracing.ts')
  let isExporting = true
  return startTracing({
    ...tracing,
    trustedProxies,
    onFault: (words) => logger.warn(`OpenTelemetry: ${words}`),
    onExport: (spans, cause) => {
      metrics.spansExported(spans, cause === null)
      // Logged only on changes: a collector that is unavailable all night must not fill the log.
      if (cause && isExporting)
        logger.warn({ err: { message: cause.message } }, 'traces not exported')
      if (!cause && !isExporting) logger.info('traces are exported again')
      isExporting = cause === null
    },
  })
}

/** The observers of the stores: metrics, and traces when they are on. */
export const observersOf = ({ stores }: Metrics, tracing: Tracing | null): StoreObserver =>
  tracing === null
    ? stores
    : {
        ...stores,
        roundTrip: (...trip) => {
          stores.roundTrip(...trip)
          tracing.roundTrip(...trip)
        },
        shared: (...read) => tracing.roundTrip('postgres', ...read),
      }
