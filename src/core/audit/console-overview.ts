// What the first page of the operator's console counts. Every part is bounded, however large the server is.
import { type Day, dayOf, lastDays, type Period } from '../language/period.ts'

/** No count of what waits is higher; this one means "or more". */
export const mostCounted = 1000

/** Whether each of the first steps is done. */
export interface FirstSteps extends Record<'person' | 'install' | 'token', boolean> {
  /** Of the oldest app, one of the current interface if there is any, and of the oldest organization; null: none. */
  clientId: string | null
  organizationId: string | null
}

export interface Waiting extends Record<'reviews' | 'changes' | 'notReviewed', number> {
  /** The organizations in which most apps wait for an admin. */
  requests: { id: string; name: string; count: number }[]
}

/** `issued` and `refused`: token requests. */
export type DayCounts = Record<'issued' | 'refused' | 'signedIn' | 'connected', number>

/** A secret or an install that ends within 30 days. `id`: of the app, key set or token. */
export interface Ending extends Record<'name' | 'id', string> {
  kind: 'app' | 'key_set' | 'operator_token' | 'install'
  organizationId: string | null
  organizationName: string | null
  expiresAt: Date
}

export interface ConsoleOverviewStore {
  steps(): Promise<FirstSteps>
  waiting(most: number): Promise<Waiting>
  /** One for each day of the period, in order. */
  days(period: Period): Promise<(DayCounts & { day: Day })[]>
  /** The nearest end first. */
  ending(): Promise<Ending[]>
  failing(): Promise<{
    /** Disabled by failures, or waiting for the next attempt after one. */
    webhooks: { id: string; url: string; isDisabled: boolean }[]
    /** Of the last 1,000 mails of the last seven days, those with an error that are not sent. */
    mails: number
    /** Data APIs with processes that have become silent within a day. */
    silent: { id: string; name: string }[]
  }>
  /** Grants that imports have taken over; those that ended long ago count in `all` only. */
  takenOver(): Promise<Record<'all' | 'used' | 'left', number>>
}

const shownDays = 7
/** Milliseconds after midnight in which the last counts of a day are written. */
const settling = 3_600_000

/** @param deps.now milliseconds since 1970 */
export const createConsoleOverview = (deps: { store: ConsoleOverviewStore; now: () => number }) => {
  const { store, now } = deps
  /** Counts of days that do not change any more. */
  let past: Awaited<ReturnType<typeof store.days>> = []

  return {
    ...store,
    waiting: () => store.waiting(mostCounted),
    /** Counts of each of the last seven days. */
    figures: async () => {
      const { from, to: today } = lastDays(dayOf(now()), shownDays)
      const { from: to, to: changing } = lastDays(dayOf(now() - settling), 2)
      if (past[0]?.day !== from || past.at(-1)?.day !== to) past = await store.days({ from, to })
      return [...past, ...(await store.days({ from: changing, to: today }))]
    },
  }
}

export type ConsoleOverview = ReturnType<typeof createConsoleOverview>
