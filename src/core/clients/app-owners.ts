import type { Secret } from '../credentials/secrets.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found } from '../language/service-errors.ts'
import type { RegisteredApp } from './apps.ts'

/** Installs are counted up to this number, so that a page costs the same for every app. */
export const mostCountedInstalls = 10_000

/** Live installs of an app; one more than the most that is counted: there are more. */
export interface InstallCounts {
  live: number
  suspended: number
}

/** An app in the list of its owner. */
export interface OwnedAppEntry
  extends Pick<RegisteredApp, 'clientId' | 'name' | 'interface' | 'clientType' | 'disabled'> {
  installs: number
}

/** An app as its owner sees it. The organizations that have installed it are counted, not named. */
export interface OwnedApp {
  app: RegisteredApp
  installs: InstallCounts
  /** Active secrets, oldest first. */
  secrets: readonly Secret[]
}

export interface AppOwnerStore {
  ownsApps(userId: string): Promise<boolean>
  /** Oldest app first. */
  list(userId: string, page: PageRequest, mostInstalls: number): Promise<Page<OwnedAppEntry>>
  /** @returns null when the app does not exist or the user is not one of its owners */
  find(userId: string, clientId: string, mostInstalls: number): Promise<OwnedApp | null>
}

/** Apps as the users whom the operator has named as their owners see them. */
export const createAppOwners = ({ store }: { store: AppOwnerStore }) => ({
  ownsApps: (userId: string): Promise<boolean> => store.ownsApps(userId),

  list: (userId: string, page: PageRequest): Promise<Page<OwnedAppEntry>> =>
    store.list(userId, page, mostCountedInstalls),

  /** @throws NotFound, the same one for an unknown app and for an app of others */
  read: async (userId: string, clientId: string): Promise<OwnedApp> =>
    found(await store.find(userId, clientId, mostCountedInstalls), 'app'),
})

export type AppOwners = ReturnType<typeof createAppOwners>
