import { fingerprintOf } from '../crypto/digests.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { openText, sealText } from '../crypto/sealed-text.ts'
import { faultAt } from '../language/faults.ts'
import { CursorExpired, Invalid } from '../language/service-errors.ts'
import { type AuditFilter, completeFilter, type LoggedEvent } from './audit-log.ts'
import { createBell } from './bell.ts'

/** A place in the trail: events follow each other as their transactions do, and within one by their ids. */
export interface TailPlace {
  transaction: number
  id: number
  /** Of the event there. A restored database may give its id to another one. */
  tag: string
}

export interface AuditTailStore {
  /**
   * The events after a place, oldest first, of transactions before which none is still running: no event will come
   * between them.
   */
  after(
    filter: AuditFilter,
    place: TailPlace,
    limit: number,
  ): Promise<{ event: LoggedEvent; place: TailPlace }[]>
  /** The last of all such places; null: there is none. */
  newest(): Promise<TailPlace | null>
  /** The place of an event; null: it is no longer kept. */
  placeOf(event: Omit<TailPlace, 'transaction'>): Promise<TailPlace | null>
}

export interface TailRequest {
  filter: Partial<AuditFilter>
  /** Organizations of the reader; null: all. */
  organizationIds: readonly string[] | null
  /** A cursor, or `start`. */
  after: string
  limit: number
  /** Maximum seconds. */
  wait: number
  /** Aborts the wait when the reader disconnects. */
  signal: AbortSignal
}

const beginning: TailPlace = { transaction: 0, id: 0, tag: '' }

const later = (one: TailPlace, other: TailPlace | null | undefined) =>
  other &&
  (other.transaction > one.transaction ||
    (other.transaction === one.transaction && other.id > one.id))
    ? other
    : one

/** So that the length of a cursor does not tell how many events there are. */
const longestPlace = 40
const purpose = 'audit_cursor'

/** Sealed, because places tell how much happens in other organizations. A cursor belongs to its filter and its reader. */
const createCursors = (keyring: Pick<Keyring, 'seal' | 'open'>) => ({
  write: (mark: string, { id, tag }: TailPlace) =>
    sealText(keyring, `${mark} ${id} ${tag}`.padEnd(longestPlace), purpose),

  /** @throws Invalid */
  read: (mark: string, cursor: string) => {
    const [its, id, tag = ''] = openText(keyring, cursor, purpose)?.trimEnd().split(' ') ?? []
    if (its === mark) return { id: Number(id), tag }
    throw new Invalid([faultAt('/after', 'form', 'is no cursor of this filter')])
  },
})

/** The audit trail from its oldest event on, for programs that follow it: nothing is missed or told twice. */
export const createAuditTail = (deps: {
  store: AuditTailStore
  keyring: Pick<Keyring, 'seal' | 'open'>
  /** Milliseconds. */
  pollEvery?: number
}) => {
  const { store, pollEvery = 300 } = deps
  const bell = createBell(async () => (await store.newest())?.transaction ?? 0, pollEvery)
  const cursors = createCursors(deps.keyring)

  const placeAt = async (mark: string, cursor: string): Promise<TailPlace> => {
    if (cursor === 'start') return beginning
    const event = cursors.read(mark, cursor)
    const place = event.id === 0 ? beginning : await store.placeOf(event)
    if (!place) throw new CursorExpired()
    return place
  }

  return {
    /**
     * The events after a cursor, oldest first; waits if there are none yet.
     * @returns `next` leads on from here, also when nothing has happened
     * @throws Invalid for a cursor of another filter or reader, CursorExpired when its event is no longer kept
     */
    read: async ({ organizationIds, after, limit, wait, signal, ...given }: TailRequest) => {
      const filter = completeFilter(given.filter)
      const mark = fingerprintOf([filter, organizationIds]).slice(0, 11)
      const deadline = performance.now() + wait * 1000
      for (let from = await placeAt(mark, after); ; ) {
        // Read first: any later event is either in the list or after the cursor.
        const newest = later(from, await store.newest())
        const found = await store.after(filter, from, limit)
        const last = found.at(-1)?.place
        const end = last && found.length === limit ? last : later(newest, last)
        const left = deadline - performance.now()
        if (last || left <= 0 || signal.aborted || bell.isClosed())
          return { items: found.map(({ event }) => event), next: cursors.write(mark, end) }
        await bell.wait(end.transaction, left, signal)
        from = end
      }
    },
    /** Answers all waiting readers; from then on no reader waits. */
    close: bell.close,
  }
}

export type AuditTail = ReturnType<typeof createAuditTail>
