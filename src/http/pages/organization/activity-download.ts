import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NamedEvents } from '../../../core/audit/activity.ts'
import { activityCsv } from './activity-csv.ts'

export interface DownloadLimits {
  /** Milliseconds after which a client that takes nothing is not waited for any more. */
  stalled: number
  /** Milliseconds that a download may take in all. */
  longest: number
}

/** What became of a download. */
export interface DownloadOutcome {
  events: number
  /** Was everything taken? */
  complete: boolean
}

const bufferedBytes = 64 * 1024

/**
 * The trail as a stream of CSV. A batch is read when the client has taken the one before, and other requests have their
 * turn in between.
 * @param ended called once, however it ends
 */
export const downloadActivity = async (
  pages: AsyncIterable<NamedEvents>,
  { stalled, longest }: DownloadLimits,
  ended: (outcome: DownloadOutcome) => Promise<void>,
): Promise<Readable> => {
  const outcome: DownloadOutcome = { events: 0, complete: false }
  const began = performance.now()
  let takenAt = began

  async function* counted() {
    for await (const page of pages) {
      outcome.events += page.events.length
      yield page
      takenAt = performance.now()
      await nextTurn()
    }
  }

  async function* lines() {
    try {
      yield* activityCsv(counted())
      outcome.complete = true
    } finally {
      await ended(outcome)
    }
  }

  const source = lines()
  const head = await source.next()
  const first = await source.next() // a store that is away is reported before anything is sent

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
  // One that was never begun has no generator to tell of its end.
  stream.once('close', () => {
    clearInterval(timer)
    void source.return()
  })
  return stream
}
