import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/**
 * Lines are written together, at the latest after this many ms and when the process ends, but for a kill -9: a write
 * for each line would cost as much as everything else that is done with it.
 */
const writeEvery = 100
/** Characters that are written together, whatever the time. */
const largestBatch = 15 * 1024
/** Bytes that wait for a reader that takes nothing; what comes after them is not kept. */
const mostWaiting = 16 * 1024 * 1024
/** Milliseconds that the last lines get. */
const longestEnd = 1000

export interface ServerLog extends FastifyBaseLogger {
  /** Writes what waits; resolves at the latest after a second, for nobody may be reading. Nothing can be logged then. */
  end(): Promise<void>
}

type Destination = ReturnType<typeof pino.destination>

/**
 * Hands lines on as one text. The destination could collect them, too, but measures all that waits anew for each line:
 * more work than everything else that a line costs.
 */
const inTexts = (destination: Destination) => {
  let lines: string[] = []
  let length = 0
  const handOn = () => {
    if (length === 0) return
    destination.write(lines.join(''))
    lines = []
    length = 0
  }
  setInterval(handOn, writeEvery).unref()
  // Before the destination itself writes what it has at the end of the process.
  process.prependListener('exit', handOn)
  return {
    write: (line: string) => {
      lines.push(line)
      length += line.length
      if (length >= largestBatch) handOn()
    },
    handOn,
    /** pino calls it after a line of the level `fatal`. */
    flushSync: () => {
      handOn()
      destination.flushSync()
    },
  }
}

/**
 * One JSON line for each event, without anything that a client sent as a secret.
 * @param about is in each line
 */
export const createLogger = (level: string, about: object | null = null): ServerLog => {
  const destination = pino.destination({
    sync: false,
    minLength: largestBatch,
    maxLength: mostWaiting,
    periodicFlush: writeEvery,
  })
  // A full disk, say. The lines wait and are tried again with later ones; unheard, the event would end the process.
  destination.on('error', () => undefined)
  const texts = inTexts(destination)
  const end = () =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        // It would be called once more when the process exits, and it tries for ever what cannot be written.
        destination.flushSync = () => undefined
        resolve()
      }
      const timer = setTimeout(finish, longestEnd)
      texts.handOn()
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
    texts,
  )
  return Object.assign(logger, { end })
}
