import { AsyncResource } from 'node:async_hooks'
import { StoreUnavailable } from '../language/errors.ts'

/** Milliseconds from the first entry until it is written. */
const soon = 100

/**
 * Writes in batches what was collected in memory, so that a request waits for no store. One flush at a time: while a
 * store hangs, collecting goes on, within the bounds of the collector.
 */
export const createWriteBehind = <Batch>(options: {
  /** Milliseconds. */
  flushEvery: number
  /** Takes everything collected so far, in batches; empty when there is nothing to write. */
  take(): Batch[]
  write(batch: Batch): Promise<void>
  /** The store did not answer, so neither these nor any later batch is written. It may at the next flush. */
  keep(batches: Batch[], cause: StoreUnavailable): void
  /** The store rejects the batch, or there is no further flush. */
  drop(batch: Batch, cause: unknown): void
  /** Smaller batches, to be written when the whole is rejected: one bad entry must not hold up the others. */
  split?(batch: Batch): Batch[]
}) => {
  const { take, keep, drop } = options
  let writing: Promise<void> = Promise.resolve()
  let early: NodeJS.Timeout | null = null

  /** Once the store does not answer, the rest is kept without another attempt. */
  const writeAll = async (batches: readonly Batch[]): Promise<void> => {
    for (const [at, batch] of batches.entries()) {
      try {
        await options.write(batch)
      } catch (cause) {
        const parts = options.split?.(batch) ?? []
        const rest = batches.slice(at + 1)
        if (cause instanceof StoreUnavailable) return keep([batch, ...rest], cause)
        if (parts.length > 1) return writeAll([...parts, ...rest])
        drop(batch, cause)
      }
    }
  }

  // Bound to this place: a flush belongs to no request, and to no transaction of one.
  const flush = AsyncResource.bind(() => {
    writing = writing.then(() => writeAll(take()))
    return writing
  })

  const timer = setInterval(() => void flush(), options.flushEvery)
  timer.unref()

  return {
    /** Tells that something was collected: it is written soon, with what comes meanwhile. */
    added: () => {
      if (early) return
      // One at a time, also while the store hangs.
      early = setTimeout(() => void flush().finally(() => (early = null)), soon)
      early.unref()
    },
    /** Writes what is collected and drops what cannot be written. */
    close: async () => {
      clearInterval(timer)
      if (early) clearTimeout(early)
      await flush()
      for (const batch of take()) drop(batch, 'closed')
    },
  }
}
