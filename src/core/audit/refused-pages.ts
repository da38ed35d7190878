// Refusals that people meet at pages. Anyone can cause one, so they are kept apart from the audit trail, for days, and
// each source has a share of what a process records in a minute.
import { networkOf } from '../language/ip-address.ts'
import { createAuditTrail } from './audit.ts'
import type { LoggedEvent } from './audit-log.ts'
import type { PageRefusal } from './refusal.ts'

/** What the page was about, as far as the server knows it; nothing of it is only claimed. */
export interface PageParties {
  organizationId: string | null
  clientId: string | null
  /** The signed-in person. */
  userId: string | null
}

export interface RefusedPage extends PageParties {
  requestId: string
  address: string
  detail: PageRefusal
}

export interface RefusedPageStore {
  append(pages: readonly RefusedPage[]): Promise<void>
  /** As an event of the audit trail. @param of only if it is about these; null: about any */
  find(
    requestId: string,
    of: Pick<PageParties, 'organizationId' | 'clientId'>,
  ): Promise<LoggedEvent | null>
}

/** Pages of a process in a minute. Signed-in people do not share with everyone else. */
const shares = {
  everyone: 120,
  page: 60,
  app: 20,
  network: 5,
  signedIn: 300,
  organization: 60,
  person: 10,
}

type Share = [kind: keyof typeof shares, name: string | null]

const sharesOf = ({ organizationId, clientId, userId, address, detail }: RefusedPage): Share[] =>
  userId === null
    ? [
        ['everyone', ''],
        ['page', detail.page],
        ['app', clientId],
        ['network', networkOf(address)],
      ]
    : [
        ['signedIn', ''],
        ['organization', organizationId],
        ['person', userId],
      ]

const minute = 60_000 // ms

/** @param onLost called with the number of pages that were not written @param now milliseconds since 1970 */
export const createRefusedPages = (
  store: RefusedPageStore,
  onLost: (count: number, cause: unknown) => void,
  now: () => number,
) => {
  const trail = createAuditTrail<RefusedPage>(store, onLost)
  /** Has no more entries than the pages that were recorded have shares. */
  const taken = new Map<string, number>()
  let until = 0

  const hasShare = (page: RefusedPage): boolean => {
    if (now() >= until) {
      taken.clear()
      until = now() + minute
    }
    const all = sharesOf(page).flatMap(([kind, name]) =>
      name === null ? [] : [{ key: `${kind} ${name}`, most: shares[kind] }],
    )
    const isFull = all.some(({ key, most }) => (taken.get(key) ?? 0) >= most)
    if (!isFull) for (const { key } of all) taken.set(key, (taken.get(key) ?? 0) + 1)
    return !isFull
  }

  return {
    /** Records the page, unless a source of it has had its share of this minute. */
    record: (page: RefusedPage): void => {
      if (hasShare(page)) trail.record(page)
    },
    find: store.find,
    close: trail.close,
  }
}

export type RefusedPages = ReturnType<typeof createRefusedPages>
