import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NamedEvents } from '../../../core/audit/activity.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Text } from '../rendering/text.ts'
import { activityCsv } from './activity-csv.ts'

export interface DownloadLimits {
  /** Milliseconds without progress after which the download is aborted. */
  stalled: number
  /** Milliseconds that the whole download may take. */
  longest: number
}

/** The outcome of a download. */
export interface DownloadOutcome {
  events: number
  /** True when the client received everything. */
  complete: boolean
}

const bufferedBytes = 64 * 1024

/**
 * The trail as a CSV stream. The next batch is read only after the client has read the previous one, and other requests
 * get a turn in between.
 * @param ended called once, whatever the outcome
 */
export const downloadActivity = async (
  text: Text,
  catalogue: PermissionCatalogue,
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
      yield* activityCsv(text, catalogue, counted())
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
