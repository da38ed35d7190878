import { pino } from 'pino'

/**
 * Lines are written in batches, at the latest after this many ms and at process exit (except after kill -9). A write
 * per line would cost as much as all other work for it.
 */
const writeEvery = 100
/** Characters after which a batch is written at once. */
const largestBatch = 15 * 1024
/** Bytes buffered for a reader that does not read. Further lines are dropped. */
const mostWaiting = 16 * 1024 * 1024
/** Milliseconds for writing the last lines. */
const longestEnd = 1000

/**
 * Joins lines to one text. The destination could buffer them too, but it measures its whole buffer for each line, which
 * costs more than all other work for a line.
 */
const batchLines = (destination: ReturnType<typeof pino.destination>) => {
  let lines: string[] = []
  let length = 0
  const writeBatch = () => {
    if (length === 0) return
    destination.write(lines.join(''))
    lines = []
    length = 0
  }
  setInterval(writeBatch, writeEvery).unref()
  // Runs before the destination writes its own buffer at process exit.
  process.prependListener('exit', writeBatch)
  return {
    write: (line: string) => {
      lines.push(line)
      length += line.length
      if (length >= largestBatch) writeBatch()
    },
    writeBatch,
    /** pino calls this after a line of level `fatal`. */
    flushSync: () => {
      writeBatch()
      destination.flushSync()
    },
  }
}

/**
 * Creates a logger that writes one JSON line per event, without secrets that clients sent.
 * @param about fields of each line
 */
export const createLogger = (level: string, about: object | null = null) => {
  const destination = pino.destination({
    sync: false,
    minLength: largestBatch,
    maxLength: mostWaiting,
    periodicFlush: writeEvery,
  })
  // The disk may be full. Lines stay buffered and are retried with later ones. Without a listener, the event would end
  // the process.
  destination.on('error', () => undefined)
  const texts = batchLines(destination)
  /**
   * Writes buffered lines. Resolves after a second at the latest, because the reader may be gone. Logging is impossible
   * afterwards.
   */
  const end = () =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        // pino would call it again at process exit, and it retries forever when writing is impossible.
        destination.flushSync = () => undefined
        resolve()
      }
      const timer = setTimeout(finish, longestEnd)
      texts.writeBatch()
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
          'err.rawPacket', // from requests that Node could not parse, headers included
        ],
        remove: true,
      },
    },
    texts,
  )
  return Object.assign(logger, { end })
}
