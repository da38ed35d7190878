import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/**
 * Lines are written together, at the latest after this many ms and when the process ends, but for a kill -9: a write
 * for each line would cost as much as everything else that is done with it.
 */
const writeEvery = 200

/**
 * One JSON line for each event, without anything that a client sent as a secret.
 * @param about is in each line
 */
export const createLogger = (level: string, about: object | null = null): FastifyBaseLogger =>
  pino(
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
    pino.destination({ sync: false, minLength: 15 * 1024, periodicFlush: writeEvery }),
  )
