import { limitHeapGrowth } from '../../app/v8-flags.ts'
import type { DoorConfig } from '../../config/door.ts'
import { singleAction } from '../command.ts'
import { listenFault } from './listening.ts'
import { closeOnSignal } from './shutdown.ts'

const open = async (config: DoorConfig) => {
  const allLoaded = limitHeapGrowth()
  const [{ createDoor }, { createLogger }] = await Promise.all([
    import('../../door/door.ts'),
    import('../../app/log.ts'),
  ])
  const logger = createLogger(config.logLevel)
  const door = createDoor(config, logger)
  closeOnSignal(async () => {
    await door.drain()
    await door.close()
  }, logger)
  // What starts a door, such as npx or a test, does not always tell it that it has ended.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 1000).unref()
  let setting = 'DOOR'
  try {
    const port = await door.listen()
    setting = 'METRICS'
    await door.listenForMetrics()
    allLoaded()
    const { issuer, host, audience } = config
    logger.info({ issuer, audience, host, port }, 'listening')
  } catch (error) {
    await door.close()
    throw listenFault(error, { port: `${setting}_PORT`, host: 'DOOR_HOST' }) ?? error
  }
}

export const door = singleAction('door', 'verify tokens for a proxy', {
  summary: 'Run the door, configured only by environment variables: docs/door.md.',
  notes: [
    'A proxy such as nginx asks GET /check whether a request may pass. Needs ISSUER, RESOURCE_SERVER_ID and',
    'RESOURCE_SERVER_SECRET, and no store. The log goes to stdout, one JSON object per line. SIGTERM and SIGINT',
    'finish the checks under way and exit with 0, as does the end of the process that started the door. All faults of',
    'the configuration are reported at once.',
  ],
  run: async (_input, terminal) => {
    const { readDoorConfig } = await import('../../config/door.ts')
    return open(readDoorConfig(terminal.env))
  },
})
