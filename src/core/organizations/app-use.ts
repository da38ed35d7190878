import { type AskedPeriod, createPeriods } from '../audit/usage-report.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { Period } from '../language/period.ts'
import { found } from '../language/service-errors.ts'

/** How one organization uses an app. */
export interface AppUseInOrganization {
  organizationId: string
  organizationName: string
  /** What its admin has approved. */
  permissions: string[]
  suspended: boolean
  /** With an authorization that is in force. */
  people: number
  /** Authorizations of this app that have become grants of its twin and are in force. */
  moved: number
  /** null: the app has no twin. */
  twinInstalled: boolean | null
  /** Of the authorizations in force. */
  lastUsedAt: Date | null
  /** In the period: access tokens by grant type. */
  issued: Record<string, number>
  /** In the period: refused token requests by sub-reason. */
  refused: Record<string, number>
}

/** One authorization in force. */
export interface AppPerson {
  userId: string
  name: string
  email: string
  /** What they left ticked. */
  permissions: string[]
  since: Date
  lastUsedAt: Date | null
}

export interface AppUseStore {
  /** Organizations that have the app installed, in the order of their ids. @returns null when there is no such app */
  organizations(
    clientId: string,
    period: Period,
    page: PageRequest,
  ): Promise<Page<AppUseInOrganization> | null>
  /** In the order of their ids. @returns null when the app is not installed there */
  people(
    clientId: string,
    organizationId: string,
    page: PageRequest,
  ): Promise<Page<AppPerson> | null>
}

/** Who still uses an app, and what of it: what an operator has to know before a legacy app goes. */
export const createAppUse = (deps: {
  store: AppUseStore
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const periodOf = createPeriods(deps.now)
  return {
    /** The last 30 days unless it is said otherwise. @throws Invalid, NotFound */
    organizations: async (
      clientId: string,
      asked: AskedPeriod,
      page: PageRequest,
    ): Promise<Page<AppUseInOrganization>> =>
      found(await deps.store.organizations(clientId, periodOf(asked), page), 'app'),

    /** @throws NotFound */
    people: async (
      clientId: string,
      organizationId: string,
      page: PageRequest,
    ): Promise<Page<AppPerson>> =>
      found(await deps.store.people(clientId, organizationId, page), 'install'),
  }
}

export type AppUse = ReturnType<typeof createAppUse>
