/** What a subject is now; `until` (seconds since 1970) is when no token is left that it could matter to. */
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
  /** Entries that matter still and come after `id`, in their order. */
  after(id: number, limit: number): Promise<RevocationEntry[]>
  /** The newest entry, whether it matters still or not; null when there never was one. */
  last(): Promise<{ id: number; tag: string } | null>
  /** Is there this entry, with this tag? */
  has(id: number, tag: string): Promise<boolean>
}

export interface RevocationPage {
  cursor: string
  /** These are all that matter: what was known before is to be forgotten. */
  reset: boolean
  /** There are more already. */
  more: boolean
  entries: RevocationEntry[]
}

export interface RevocationFeed {
  /**
   * What has changed behind a cursor; waits for it when there is nothing yet.
   * An unknown cursor (never given, too old, or from before a backup was restored) starts anew.
   * @param wait seconds at most
   * @param signal ends the waiting: the reader has gone
   */
  read(cursor: string | null, wait: number, signal: AbortSignal): Promise<RevocationPage>
  /** How many wait now. */
  waiting(): number
  /** Answers everybody who waits; nobody waits from then on. */
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
 * Looks for news once for all who wait, while somebody waits: a query each time, which works through any pooler.
 * @param pollEvery milliseconds
 */
const createBell = (store: Pick<RevocationFeedStore, 'last'>, pollEvery: number) => {
  /** Who waits, and the entry that each of them has seen. */
  const waiting = new Map<() => void, number>()
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const look = async () => {
    // A store that is away wakes nobody: who waits hears of it at the end of the wait.
    const last = await store.last().catch(() => null)
    for (const [wake, seen] of waiting) if (last && last.id > seen) wake()
    timer = waiting.size > 0 && !closed ? setTimeout(() => void look(), pollEvery) : null
  }

  return {
    /** Until there is an entry behind `seen`, the time is up, the reader has gone or the bell is closed. */
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

/** What resource servers that verify by themselves must hear about, without gaps and in order. */
export const createRevocationFeed = (
  store: RevocationFeedStore,
  pollEvery = 300,
): RevocationFeed => {
  const bell = createBell(store, pollEvery)

  const readFrom = async (from: Place) => {
    // The newest one first: what comes after it is either among the entries or behind the cursor.
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
