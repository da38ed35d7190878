import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface DownloadLimits {
  /** Milliseconds without progress after which the download is aborted. */
  stalled: number
  /** Milliseconds that the whole download may take. */
  longest: number
}

/** Shorter than the lifetime of the counter of exports, so that no running download is uncounted. */
export const downloadLimits: DownloadLimits = { stalled: 15_000, longest: 150_000 }

/** Some lines of a CSV file. */
export interface CsvPart {
  text: string
  /** How many records they contain; 0 for the header. */
  rows: number
}

/** The outcome of a download. */
export interface DownloadOutcome {
  rows: number
  /** True when the client received everything. */
  complete: boolean
}

const bufferedBytes = 64 * 1024

/**
 * A CSV file as a stream. The next part is read only after the client has read the previous one, and other requests get
 * a turn in between.
 * @param parts the header first
 * @param ended called once, whatever the outcome
 */
export const downloadCsv = async (
  parts: AsyncIterable<CsvPart>,
  { stalled, longest }: DownloadLimits,
  ended: (outcome: DownloadOutcome) => Promise<void>,
): Promise<Readable> => {
  const outcome: DownloadOutcome = { rows: 0, complete: false }
  const began = performance.now()
  let takenAt = began

  async function* lines() {
    try {
      for await (const { text, rows } of parts) {
        outcome.rows += rows
        yield text
        takenAt = performance.now()
        await nextTurn()
      }
      outcome.complete = true
    } finally {
      await ended(outcome)
    }
  }

  const source = lines()
  const head = await source.next()
  const first = await source.next() // reports an unavailable store before anything is sent

  async function* all() {
    try {
      for (const part of [head, first]) if (!part.done) yield part.value
      yield* source
    } finally {
      clearInterval(timer)
      await source.return()
    }
  }

  const stream = Readable.from(all(), { objectMode: false, highWaterMark: bufferedBytes })
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - takenAt > stalled || now - began > longest) stream.destroy()
  }, 1000)
  timer.unref()
  // A generator that was never started does not run its `finally`.
  stream.once('close', () => {
    clearInterval(timer)
    void source.return()
  })
  return stream
}
