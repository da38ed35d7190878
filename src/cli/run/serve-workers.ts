import { Registry } from 'prom-client'
import { createPrimary, WorkerFailed } from '../../app/cluster/primary.ts'
import { createLogger } from '../../app/log.ts'
import { migrateStores, openPostgres, serverName } from '../../app/stores.ts'
import type { Config } from '../../config/config.ts'
import { metricsServer } from '../../http/operations/operations.ts'
import { mergeReadiness, type ReadinessAnswer } from '../../http/operations/readiness.ts'
import {
  createSampleMemory,
  mergeMetrics,
  registerWorkerMetrics,
} from '../../http/operations/worker-metrics.ts'
import { CommandError, type ExitCode, exitCodes } from '../exit-codes.ts'
import { listenFault } from './listening.ts'
import { closeOnSignal } from './shutdown.ts'

/** Longer than the timeout of a worker, so that the worker reports the timeout. */
const shutdownTimeout = 12_000 // ms

/** The error of a failed worker. Its own log has the reason. */
const failure = (error: unknown) => {
  if (!(error instanceof WorkerFailed)) return listenFault(error) ?? error
  const known = Object.values(exitCodes).find((code) => code === error.exitCode)
  return new CommandError(known ?? (exitCodes.failed as ExitCode), error.message)
}

/**
 * Runs several processes on one port. This primary process starts them, migrates the stores and serves their merged
 * metrics.
 */
export const serveWithWorkers = async (config: Config): Promise<void> => {
  const logger = createLogger(config.logLevel)
  const postgres = await openPostgres(config, serverName(config), logger)
  const registry = new Registry()
  const primary = createPrimary({ workers: config.workers, logger, metrics: () => metrics() })
  registerWorkerMetrics(registry, primary.state)
  const remember = createSampleMemory()
  const metrics = async () => {
    const samples = await remember(await primary.samples())
    return mergeMetrics([...samples, await registry.getMetricsAsJSON()])
  }
  const readiness = async () =>
    mergeReadiness((await primary.readiness()) as (ReadinessAnswer | null)[])
  const measuring = config.metrics.port === null ? null : metricsServer(metrics, readiness)
  const close = async () => {
    try {
      await primary.close()
    } finally {
      await measuring?.close()
      await postgres.stop()
    }
  }
  closeOnSignal(close, logger, shutdownTimeout)

  try {
    await migrateStores(postgres.url, config.migrationTimeout, logger)
    if (!(await primary.start())) return
    const { port, host, issuer, workers } = config
    await measuring?.listen({ port: config.metrics.port as number, host })
    logger.info({ issuer, host, port, workers }, 'listening')
  } catch (error) {
    await close().catch(() => undefined)
    throw failure(error)
  }
}
