import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/**
 * Lines are written together, at the latest after this many ms and when the process ends, but for a kill -9: a write
 * for each line would cost as much as everything else that is done with it.
 */
const writeEvery = 200
/** Bytes that wait for a reader that takes nothing; what comes after them is not kept. */
const mostWaiting = 16 * 1024 * 1024
/** Milliseconds that the last lines get. */
const longestEnd = 1000

export interface ServerLog extends FastifyBaseLogger {
  /** Writes what waits; resolves at the latest after a second, for nobody may be reading. Nothing can be logged then. */
  end(): Promise<void>
}

/**
 * One JSON line for each event, without anything that a client sent as a secret.
 * @param about is in each line
 */
export const createLogger = (level: string, about: object | null = null): ServerLog => {
  const destination = pino.destination({
    sync: false,
    minLength: 15 * 1024,
    maxLength: mostWaiting,
    periodicFlush: writeEvery,
  })
  const end = () =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        // It would be called once more when the process exits, and it tries for ever what cannot be written.
        destination.flushSync = () => undefined
        resolve()
      }
      const timer = setTimeout(finish, longestEnd)
      destination.flush(finish)
    })
  const logger = pino(
    {
      level,
      base: about,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'req.headers',
          'headers',
          'authorization',
          'cookie',
          'err.config',
          'err.query',
          'err.values',
          'err.rawPacket', // of a request that Node could not read, headers included
        ],
        remove: true,
      },
    },
    destination,
  )
  return Object.assign(logger, { end })
}
