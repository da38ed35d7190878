import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/** One JSON line for each event, without anything that a client sent as a secret. */
export const createLogger = (level: string): FastifyBaseLogger =>
  pino({
    level,
    base: null,
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
  })
