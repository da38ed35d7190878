/** The present state of a subject. After `until` (seconds since 1970) no token exists that the entry could concern. */
export interface RevocationEntry {
  id: number
  tag: string
  type: string
  subjectId: string
  userId: string | null
  state: Record<string, unknown>
  until: number
}

export interface RevocationFeedStore {
  /** Entries after `id` that still concern a token, in their order. */
  after(id: number, limit: number): Promise<RevocationEntry[]>
  /** The newest entry, outdated or not; null when there was never one. */
  last(): Promise<{ id: number; tag: string } | null>
  /** Is there an entry with this id and tag? */
  has(id: number, tag: string): Promise<boolean>
}

export interface RevocationPage {
  cursor: string
  /** The entries are complete: the reader must forget all it knew. */
  reset: boolean
  /** More entries are available. */
  more: boolean
  entries: RevocationEntry[]
}

export interface RevocationFeed {
  /**
   * Returns the entries after a cursor, and waits if there are none yet. An unknown cursor (never issued, too old, or
   * from before a backup was restored) begins from the start.
   * @param wait maximum seconds
   * @param signal aborts the wait when the reader disconnects
   */
  read(cursor: string | null, wait: number, signal: AbortSignal): Promise<RevocationPage>
  /** Number of waiting readers. */
  waiting(): number
  /** Answers all waiting readers; from then on no reader waits. */
  close(): void
}

const pageSize = 1000
const start = { id: 0, tag: '' }
type Place = typeof start

const cursorOf = ({ id, tag }: Place) => Buffer.from(`${id}.${tag}`).toString('base64url')

const placeOf = (cursor: string | null): Place | null => {
  if (cursor === null || cursor.length > 128) return null
  const match = /^(\d{1,15})\.([0-9a-f-]{36})?$/.exec(Buffer.from(cursor, 'base64url').toString())
  return match && { id: Number(match[1]), tag: match[2] ?? '' }
}

/**
 * Polls for new entries once for all readers, while any of them waits. A query works through every connection pooler;
 * LISTEN does not.
 * @param pollEvery milliseconds
 */
const createBell = (store: Pick<RevocationFeedStore, 'last'>, pollEvery: number) => {
  /** Waiting readers by wake function, with the last entry that each has seen. */
  const waiting = new Map<() => void, number>()
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const look = async () => {
    // An unavailable store wakes no reader: the reader's next request reports it.
    const last = await store.last().catch(() => null)
    for (const [wake, seen] of waiting) if (last && last.id > seen) wake()
    timer = waiting.size > 0 && !closed ? setTimeout(() => void look(), pollEvery) : null
  }

  return {
    /**
     * Resolves when there is an entry after `seen`, the time is up, the reader has disconnected or the bell is
     * closed.
     */
    wait: (seen: number, milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (closed || signal.aborted) return resolve()
        const wake = () => {
          clearTimeout(limit)
          signal.removeEventListener('abort', wake)
          waiting.delete(wake)
          resolve()
        }
        const limit = setTimeout(wake, milliseconds)
        signal.addEventListener('abort', wake)
        waiting.set(wake, seen)
        timer ??= setTimeout(() => void look(), pollEvery)
      }),
    waiting: () => waiting.size,
    isClosed: () => closed,
    close: () => {
      closed = true
      if (timer) clearTimeout(timer)
      for (const wake of [...waiting.keys()]) wake()
    },
  }
}

/** The revocations for resource servers that verify tokens themselves, in order and without gaps. */
export const createRevocationFeed = (
  store: RevocationFeedStore,
  pollEvery = 300,
): RevocationFeed => {
  const bell = createBell(store, pollEvery)

  const readFrom = async (from: Place) => {
    // Read the newest entry first: any later entry is either in the list or after the cursor.
    const last = (await store.last()) ?? start
    const entries = await store.after(from.id, pageSize)
    return { entries, end: entries.at(-1) ?? last, more: entries.length === pageSize }
  }

  const isKnown = async (place: Place) =>
    place.id === 0 ? (await store.last()) === null : store.has(place.id, place.tag)

  return {
    read: async (cursor, wait, signal) => {
      const known = placeOf(cursor)
      const reset = !known || !(await isKnown(known))
      const deadline = performance.now() + (reset ? 0 : wait * 1000)
      for (let from = reset ? start : known; ; ) {
        const { entries, end, more } = await readFrom(from)
        const left = deadline - performance.now()
        if (entries.length > 0 || left <= 0 || signal.aborted || bell.isClosed()) {
          return { cursor: cursorOf(end), reset, more, entries }
        }
        await bell.wait(end.id, left, signal)
        from = end
      }
    },
    waiting: bell.waiting,
    close: bell.close,
  }
}
