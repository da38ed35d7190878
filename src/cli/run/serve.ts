import cluster from 'node:cluster'
import { limitHeapGrowth } from '../../app/v8-flags.ts'
import type { Config } from '../../config/config.ts'
import { singleAction } from '../command.ts'
import { listenFault } from './listening.ts'
import { closeOnSignal } from './shutdown.ts'

/** Serves in this process: a whole instance or one of its workers. */
const serveAlone = async (config: Config) => {
  const allLoaded = limitHeapGrowth()
  const [{ createLatchkey }, { createLogger }, { findWorkerPlace }] = await Promise.all([
    import('../../app/app.ts'),
    import('../../app/log.ts'),
    import('../../app/cluster/worker.ts'),
  ])
  const place = findWorkerPlace()
  const logger = createLogger(config.logLevel, place && { worker: place.number })
  const starting = createLatchkey(config, logger, place)
  closeOnSignal(async () => {
    const started = await starting.catch(() => null)
    await started?.drain()
    await started?.close()
  }, logger)

  const app = await starting
  try {
    const issuer = await app.listen()
    allLoaded()
    if (place) place.ready()
    else logger.info({ issuer, host: config.host, port: config.port }, 'listening')
  } catch (error) {
    await app.close()
    throw listenFault(error) ?? error
  }
}

export const serve = singleAction('serve', 'run the server', {
  summary: 'Run the server, configured only by environment variables.',
  notes: [
    'The log goes to stdout, one JSON object per line. SIGTERM and SIGINT finish the requests under way (at most',
    '10 s) and exit with 0. All faults of the configuration are reported at once.',
  ],
  run: async (_input, terminal) => {
    const { readConfig } = await import('../../config/config.ts')
    const config = readConfig(terminal.env)
    if (config.workers === 1 || cluster.isWorker) return serveAlone(config)
    const { serveWithWorkers } = await import('./serve-workers.ts')
    return serveWithWorkers(config)
  },
})
