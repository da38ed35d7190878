import { createParsePeriod, type RequestedPeriod } from '../audit/usage-report.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { Period } from '../language/period.ts'
import { found } from '../language/service-errors.ts'
import type { PersonOfApp } from './app-people.ts'
import type { InstallKey } from './install.ts'

/** An organization's use of an app. */
export interface AppUseInOrganization {
  organizationId: string
  organizationName: string
  /** The permissions of the install. */
  permissions: string[]
  suspended: boolean
  /** Members with access: by a consent, a grant or an assertion. Those who have moved to the successor are not counted. */
  people: number
  /** Live authorizations of the successor that began as authorizations of this app. */
  moved: number
  /** null: the app has no successor */
  twinInstalled: boolean | null
  /** Last token, for anybody or for the app itself; null: not used yet. */
  lastUsedAt: Date | null
  /** Access tokens by grant type in the period. */
  issued: Record<string, number>
  /** Refused token requests by sub-reason in the period. */
  refused: Record<string, number>
}

/** A member with access. */
export interface AppPerson extends Pick<PersonOfApp, 'userId' | 'name' | 'email' | 'since'> {
  /** The permissions that the user has approved. */
  permissions: string[]
  lastUsedAt: Date | null
}

export interface AppUseStore {
  /** All of them together; each person counts once. */
  reach(clientId: string): Promise<{ organizations: number; people: number }>
  /** Organizations with a live install of the app, oldest install first. @returns null when the app does not exist */
  organizations(
    clientId: string,
    period: Period,
    page: PageRequest,
  ): Promise<Page<AppUseInOrganization> | null>
  /** By name. @returns null when the app is not installed there */
  people(
    clientId: string,
    organizationId: string,
    page: PageRequest,
  ): Promise<Page<AppPerson> | null>
}

/** Reports the organizations and users of an app. An operator needs it before removing a legacy app. */
export const createAppUse = (deps: {
  store: AppUseStore
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const periodOf = createParsePeriod(deps.now)
  return {
    /** The period is the last 30 days by default. @throws Invalid, NotFound */
    organizations: async (clientId: string, requested: RequestedPeriod, page: PageRequest) =>
      found(await deps.store.organizations(clientId, periodOf(requested), page), 'app'),

    /** @throws NotFound */
    people: async ({ clientId, organizationId }: InstallKey, page: PageRequest) =>
      found(await deps.store.people(clientId, organizationId, page), 'install'),
  }
}

export type AppUse = ReturnType<typeof createAppUse>
