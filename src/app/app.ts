// The only wiring: configuration → stores → services → fronts.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../core/clients/redirect-uri.ts'
import { createKeyring } from '../core/crypto/keyring.ts'
import { periodically } from '../core/limits/periodically.ts'
import { createMetrics, type Metrics } from '../http/operations/metrics.ts'
import { metricsServer, operations } from '../http/operations/operations.ts'
import { createReadiness, type Readiness } from '../http/operations/readiness.ts'
import { registerStateMetrics } from '../http/operations/state-metrics.ts'
import { registerWorkerMetrics } from '../http/operations/worker-metrics.ts'
import { type Admission, createAdmission } from '../http/server/admission.ts'
import { listenAtOtherLoopback } from '../http/server/both-loopbacks.ts'
import { watchConnections } from '../http/server/connections.ts'
import { createServer } from '../http/server/server.ts'
import { createStopHeader, type StopHeader } from '../http/server/stop-header.ts'
import type { StoreClock } from '../stores/store-clock.ts'
import { startBackgroundJobs } from './background-jobs.ts'
import type { WorkerPlace } from './cluster/worker.ts'
import type { Foundation } from './foundation.ts'
import { registerFronts } from './fronts/fronts.ts'
import { createServices, type Services } from './services/services.ts'
import { openStores } from './stores.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { observersOf, openTracing } from './tracing.ts'

/** Registers what only a server for development has, before the fronts. */
type Extension = (server: FastifyInstance, ...of: [Foundation, Services]) => Promise<unknown>

const keysEvery = 5_000
const timeEvery = 5_000
// A change of the permission catalogue takes effect on every instance within two seconds.
const catalogueEvery = 1_000

/** Returns the metrics of this process or, in a worker, of all workers of the instance. */
const expose = ({ registry }: Metrics, place: WorkerPlace | null, readiness: Readiness) => {
  if (place) {
    place.show(registry, readiness)
    return place.metrics
  }
  registerWorkerMetrics(registry, () => ({ listening: 1, replaced: 0 }))
  return () => registry.metrics()
}

/** Health, readiness and metrics. @returns a server of its own for the metrics; null: none is configured */
const registerOperations = async (
  server: FastifyInstance,
  { config, stores, metrics }: Foundation,
  services: Services,
  place: WorkerPlace | null,
  admission: Admission,
  isClosing: () => boolean,
) => {
  registerStateMetrics(metrics.registry, {
    connections: stores.database.connections,
    rows: stores.estimateRows,
    families: stores.estimateFamilies,
    redisKeys: stores.redisKeys,
    warnings: stores.warnings,
    signingKeys: services.signingKeys.ages,
    masterKeys: stores.masterKeys.length,
    feedReaders: services.revocationFeed.waiting,
    silentReaders: stores.stops.silentReaders,
    requestsUnderWay: admission.underWay,
  })
  const { checks, warnings } = stores
  const { port, token: metricsToken } = config.metrics
  const { isStuck } = admission
  const readiness = createReadiness({ stores: checks, warnings, isClosing })
  const exposition = expose(metrics, place, readiness.guarded)
  await server.register(operations({ metrics: exposition, readiness, isStuck, metricsToken }))
  return place || port === null ? null : metricsServer(exposition, readiness.guarded)
}

/** Reads again what other instances may have changed. */
const startTimers = ({ stores, logger }: Foundation, { signingKeys, catalogue }: Services) => {
  const again = (every: number, run: () => Promise<unknown>, what: string) =>
    periodically({ every, run, onError: (err) => logger.warn({ err }, `${what} not read`) })
  const timers = [
    again(keysEvery, signingKeys.refresh, 'signing keys'),
    again(timeEvery, stores.readTime, 'store time'),
    again(catalogueEvery, catalogue.refresh, 'permission catalogue'),
  ]
  return () => Promise.all(timers.map((timer) => timer.close()))
}

const assemble = async (
  foundation: Foundation,
  tracing: Tracing | null,
  place: WorkerPlace | null,
  extend: Extension,
  stopHeader: StopHeader,
) => {
  const { config, stores, metrics, logger } = foundation
  const services = await createServices(foundation)
  const admission = createAdmission(config.admission, metrics.turnedAway)
  const server = await createServer({
    admission,
    logger,
    trustedProxies: config.trustedProxies,
    issuer: config.issuer,
    place: config.place,
    watch: tracing?.watch,
    answered: (request, status, ms) =>
      metrics.answered(request.routeOptions.url ?? 'none', status, ms / 1000),
  })
  stopHeader.watch(server)
  const connections = watchConnections(server)
  let closing = false
  let leaveOther = () => {}
  const measuring = await registerOperations(
    server,
    foundation,
    services,
    place,
    admission,
    () => closing,
  )
  await extend(server, foundation, services)
  await registerFronts(server, foundation, services)
  // Before the first request, whose events may cause mails.
  if (config.mail) await stores.mailOutbox.announce()
  const stopTimers = startTimers(foundation, services)
  // Jobs that run once per instance run in one of its workers.
  const backgroundJobs =
    place === null || place.number === 1 ? startBackgroundJobs(foundation, services) : null

  return {
    server,
    /** Configured, or created at the first start. */
    operatorToken: stores.operatorToken,
    /** Starts to listen. @returns the issuer */
    listen: async () => {
      await server.listen({ port: config.port, host: config.host })
      if (config.host === '127.0.0.1' && isLoopback(new URL(config.issuer)))
        leaveOther = await listenAtOtherLoopback(server, config.port)
      await measuring?.listen({ port: config.metrics.port as number, host: config.host })
      return config.issuer
    },
    /** Reports "closing" and keeps serving for a while, so that clients and balancers leave in time. */
    drain: async () => {
      closing = true
      tracing?.flush()
      await connections.drain(config.shutdownDrain)
    },
    /** Stops accepting requests, finishes those under way, writes buffered data and closes the stores. */
    close: async () => {
      closing = true
      const timersEnd = stopTimers()
      services.revocationFeed.close()
      services.auditTail.close()
      services.stops.close()
      leaveOther()
      await connections.settle()
      await server.close()
      await measuring?.close()
      await Promise.all([timersEnd, backgroundJobs?.close()])
      await services.unsettled.close()
      await services.sessions.close()
      await services.closeRecords()
      await stores.close()
      await tracing?.close()
    },
  }
}

/**
 * Builds a server on the configured stores. It does not listen yet.
 * @param place this process's place among the workers; null when it is the whole instance
 */
export const createLatchkey = async (
  config: Config,
  logger: FastifyBaseLogger,
  place: WorkerPlace | null = null,
  clock?: StoreClock,
  extend: Extension = async () => undefined,
) => {
  const metrics = createMetrics()
  const tracing = await openTracing(config, metrics, logger)
  const stopHeader = createStopHeader()
  const stores = await openStores(
    config,
    logger,
    { ...observersOf(metrics, tracing), stopped: stopHeader.made },
    place === null,
    clock,
  )
  try {
    const [firstKey, ...olderKeys] = stores.masterKeys
    const keyring = createKeyring([firstKey as Buffer, ...olderKeys])
    const foundation = { config, stores, keyring, metrics, logger }
    return await assemble(foundation, tracing, place, extend, stopHeader)
  } catch (error) {
    await stores.close()
    throw error
  }
}

export type Latchkey = Awaited<ReturnType<typeof createLatchkey>>
