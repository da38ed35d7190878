import { createBell } from '../audit/bell.ts'
import { knownOf, type ResourceLimits } from '../clients/resource-limits.ts'
import { comparableResources } from '../clients/resources.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { createCursors, type FeedPosition, type FeedReader, start } from './feed-cursor.ts'

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
  /**
   * Entries after `id` that still concern a token, in their order.
   * @param reader its audiences, and its organizations (null: all)
   */
  after(
    id: number,
    limit: number,
    reader: { audiences: readonly string[]; organizationIds: readonly string[] | null },
  ): Promise<RevocationEntry[]>
  /** The newest entry, outdated or not; null when there was never one. */
  last(): Promise<{ id: number; tag: string } | null>
  /** Is there an entry with this id and tag? */
  has(id: number, tag: string): Promise<boolean>
  /** A process of a resource server has asked from this place on. It counts for stops (stops.ts). */
  polled(clientId: string, reader: string, place: number, library: string | null): Promise<void>
  /** The process reads no more. */
  closed(clientId: string, reader: string): Promise<void>
}

export interface FeedRequest {
  /** The process of the resource server; empty: it names none. */
  process: string
  /** Name and version of its library. */
  library: string | null
  cursor: string | null
  /** Maximum seconds. */
  wait: number
  /** Aborts the wait when the reader disconnects. */
  signal: AbortSignal
}

const pageSize = 1000

/** The entry without the permissions that the reader does not know. */
const knownTo = (reader: ResourceLimits, entry: RevocationEntry): RevocationEntry => {
  const { permissions } = entry.state
  if (reader.permissions === null || !Array.isArray(permissions)) return entry
  return { ...entry, state: { ...entry.state, permissions: knownOf(reader, permissions) } }
}

/** The revocations for resource servers that verify tokens themselves, in order and without gaps. */
export const createRevocationFeed = (deps: {
  store: RevocationFeedStore
  keyring: Pick<Keyring, 'seal' | 'open'>
  defaultAudience: string
  /** Milliseconds. */
  pollEvery?: number
}) => {
  const { store, defaultAudience, pollEvery = 300 } = deps
  const bell = createBell(async () => (await store.last())?.id ?? 0, pollEvery)
  const cursors = createCursors(deps.keyring)

  const readFrom = async (from: FeedPosition, { resource, organizationIds }: ResourceLimits) => {
    // Read the newest entry first: any later entry is either in the list or after the cursor.
    const last = (await store.last()) ?? start
    const audiences = comparableResources(resource ?? [defaultAudience])
    const entries = await store.after(from.id, pageSize, { audiences, organizationIds })
    return { entries, end: entries.at(-1) ?? last, more: entries.length === pageSize }
  }

  const isKnown = async (place: FeedPosition) =>
    place.id === 0 ? (await store.last()) === null : store.has(place.id, place.tag)

  return {
    /**
     * Returns the entries after a cursor, and waits if there are none yet. An unknown cursor (never issued, too old, or
     * from before a backup was restored) begins from the start.
     * @param reader which entries it may read
     */
    read: async (reader: FeedReader, { cursor, wait, signal, process, library }: FeedRequest) => {
      const known = cursors.read(reader, cursor)
      const reset = !known || !(await isKnown(known))
      await store.polled(reader.clientId, process, reset ? 0 : known.id, library)
      const deadline = performance.now() + (reset ? 0 : wait * 1000)
      for (let from = reset ? start : known; ; ) {
        const { entries, end, more } = await readFrom(from, reader)
        const left = deadline - performance.now()
        if (entries.length > 0 || left <= 0 || signal.aborted || bell.isClosed()) {
          return {
            cursor: cursors.write(reader, end),
            /** The entries are complete: the reader must forget all it knew. */
            reset,
            /** More entries are available. */
            more,
            entries: entries.map((entry) => knownTo(reader, entry)),
            /** The organizations that the entries are about; null: all. */
            organizationIds: reader.organizationIds,
          }
        }
        await bell.wait(end.id, left, signal)
        from = end
      }
    },
    /** Forgets a process that reads no more. */
    leave: store.closed,
    /** Number of waiting readers. */
    waiting: bell.waiting,
    /** Answers all waiting readers; from then on no reader waits. */
    close: bell.close,
  }
}

export type RevocationFeed = ReturnType<typeof createRevocationFeed>
