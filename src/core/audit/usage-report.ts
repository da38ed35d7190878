import { type Fault, faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { type Day, dayOf, isDay, lastDays, type Period } from '../language/period.ts'
import { found, refuse } from '../language/service-errors.ts'
import type { UsageCount } from './usage.ts'

const usualDays = 30

/** Counts of one app in one organization on one day: tokens by grant type, refusals by sub-reason. */
export interface UsageDay {
  day: Day
  clientId: string
  issued: Record<string, number>
  refused: Record<string, number>
}

export type IssuedCount = Pick<UsageCount, 'day' | 'clientId' | 'count'>
export type RefusedCount = Pick<UsageCount, 'reason' | 'count'>

export interface UsageReportStore {
  /** In the order of days, then apps. @returns null when the organization does not exist */
  page(organizationId: string, period: Period, page: PageRequest): Promise<Page<UsageDay> | null>
  issued(organizationId: string, period: Period): Promise<IssuedCount[]>
  /** Most frequent first. */
  refused(organizationId: string, period: Period): Promise<RefusedCount[]>
}

const dayFaults = (pointer: string, text: string | undefined): Fault[] =>
  text === undefined || isDay(text) ? [] : [faultAt(pointer, 'period', 'is not a day (YYYY-MM-DD)')]

export type RequestedPeriod = Partial<Record<'from' | 'to', string | undefined>>

/**
 * @returns a function that parses a period, by default the last 30 days. It throws Invalid for text that is not a
 * day, and for an end before the beginning
 */
export const createParsePeriod = (now: () => number) => {
  const today = () => dayOf(now())
  return ({ from, to }: RequestedPeriod): Period => {
    refuse([...dayFaults('/from', from), ...dayFaults('/to', to)])
    const last = to ?? (from !== undefined && from > today() ? from : today())
    const period = { from: from ?? lastDays(last, usualDays).from, to: last }
    refuse(period.from > period.to ? [faultAt('/to', 'period', 'is before from')] : [])
    return period
  }
}

/** Usage of an organization's apps. */
export const createUsageReport = (deps: {
  store: UsageReportStore
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, now } = deps
  const periodOf = createParsePeriod(now)

  return {
    /** One entry per day and app; by default the last 30 days. @throws Invalid, NotFound */
    list: async (organizationId: string, requested: RequestedPeriod, page: PageRequest) =>
      found(await store.page(organizationId, periodOf(requested), page), 'organization'),

    /** Counts of the last 30 days, for charts. */
    overview: async (organizationId: string) => {
      const period = lastDays(dayOf(now()), usualDays)
      const [issued, refused] = await Promise.all([
        store.issued(organizationId, period),
        store.refused(organizationId, period),
      ])
      return { period, issued, refused }
    },
  }
}

export type UsageReport = ReturnType<typeof createUsageReport>
