// What the first page of the operator's console counts. Every part is bounded, however large the server is.
import { type Day, dayOf, daysOf, lastDays, type Period } from '../language/period.ts'

/** No count of what waits is higher; this one means "or more". */
export const mostCounted = 1000

/** Whether each of the first steps is done. */
export interface FirstSteps extends Record<'person' | 'install' | 'token', boolean> {
  /** Of the oldest app that can use the current interface, and of the oldest organization; null: there is none. */
  clientId: string | null
  organizationId: string | null
}

export interface Waiting extends Record<'reviews' | 'changes' | 'notReviewed', number> {
  /** The organizations in which most apps wait for an admin. */
  requests: { id: string; name: string; count: number }[]
}

/** `issued` and `refused`: token requests. */
export type DayCounts = Record<'issued' | 'refused' | 'signedIn' | 'connected', number>

/** A secret or an install that ends within 30 days. */
export interface Ending {
  kind: 'app' | 'key_set' | 'operator_token' | 'install'
  name: string
  /** Of the app, key set or token. */
  id: string
  /** Null for the secret of an app and a token. */
  organizationId: string | null
  organizationName: string | null
  expiresAt: Date
}

/** What the server could not deliver. */
export interface Failing {
  /** Disabled by failures, or waiting for the next attempt after one. */
  webhooks: { id: string; url: string; isDisabled: boolean }[]
  /** Of the last 1,000 mails of the last seven days, those with an error that are not sent. */
  mails: number
}

export interface ConsoleOverviewStore {
  steps(): Promise<FirstSteps>
  waiting(most: number): Promise<Waiting>
  days(period: Period): Promise<(DayCounts & { day: Day })[]>
  /** The nearest end first. */
  ending(): Promise<Ending[]>
  failing(): Promise<Failing>
}

const shownDays = 7
/** Today, and yesterday, whose last counts are written a little later. */
const changingDays = 2

/** @param deps.now milliseconds since 1970 */
export const createConsoleOverview = (deps: { store: ConsoleOverviewStore; now: () => number }) => {
  const { store, now } = deps
  /** Days that do not change any more. */
  let past: { period: Period; counts: ReturnType<ConsoleOverviewStore['days']> } | null = null

  const countsBefore = (from: Day, to: Day) => {
    if (past?.period.from === from) return past.counts
    const counts = store.days({ from, to })
    past = { period: { from, to }, counts }
    counts.catch(() => {
      past = null
    })
    return counts
  }

  return {
    ...store,
    waiting: () => store.waiting(mostCounted),
    /** Counts of the last seven days. */
    figures: async () => {
      const today = dayOf(now())
      const period = lastDays(today, shownDays)
      const changing = lastDays(today, changingDays)
      const last = daysOf(period).at(-changingDays - 1) ?? period.from
      const parts = await Promise.all([countsBefore(period.from, last), store.days(changing)])
      return { period, counts: parts.flat() }
    },
  }
}

export type ConsoleOverview = ReturnType<typeof createConsoleOverview>
