import { StoreUnavailable } from '../language/errors.ts'

/** What a write-behind collects and how it is written. */
export interface WriteBehindOptions<Batch> {
  /** Milliseconds. */
  flushEvery: number
  /** Takes everything collected so far, in batches; empty when there is nothing to write. */
  take(): Batch[]
  write(batch: Batch): Promise<void>
  /** The store did not answer. It may at the next flush. */
  keep(batch: Batch, cause: StoreUnavailable): void
  /** The store rejects the batch, or there is no further flush. */
  drop(batch: Batch, cause: unknown): void
  /** Smaller batches, to be written when the whole is rejected: one bad entry must not hold up the others. */
  split?(batch: Batch): Batch[]
}

export interface WriteBehind {
  /** Tells that something was collected: it is written soon, with what comes meanwhile. */
  added(): void
  /** Writes what is collected and drops what cannot be written. */
  close(): Promise<void>
}

/** Milliseconds from the first entry until it is written. */
const soon = 100

/**
 * Writes in batches what was collected in memory, so that a request waits for no store. One flush at a time: while a
 * store hangs, collecting goes on, within the bounds of the collector.
 */
export const createWriteBehind = <Batch>(options: WriteBehindOptions<Batch>): WriteBehind => {
  const { take, keep, drop } = options
  let writing: Promise<void> = Promise.resolve()
  let early: NodeJS.Timeout | null = null

  const write = async (batch: Batch): Promise<void> => {
    try {
      await options.write(batch)
    } catch (cause) {
      if (cause instanceof StoreUnavailable) return keep(batch, cause)
      const parts = options.split?.(batch) ?? []
      if (parts.length < 2) return drop(batch, cause)
      for (const part of parts) await write(part)
    }
  }

  const writeAll = async () => {
    for (const batch of take()) await write(batch)
  }

  const flush = () => {
    writing = writing.then(writeAll)
    return writing
  }

  const timer = setInterval(() => void flush(), options.flushEvery)
  timer.unref()

  return {
    added: () => {
      if (early) return
      // One at a time, also while the store hangs.
      early = setTimeout(() => void flush().finally(() => (early = null)), soon)
      early.unref()
    },
    close: async () => {
      clearInterval(timer)
      if (early) clearTimeout(early)
      await flush()
      for (const batch of take()) drop(batch, 'closed')
    },
  }
}
