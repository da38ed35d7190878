import type { App } from '../clients/app.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { AppPeopleStore } from './app-people.ts'
import { type Install, type Widening, wideningOf } from './install.ts'

/** An install as the organization's admins see it. */
export interface InstalledApp {
  app: App
  install: Omit<Install, 'installedBy'>
  /** Name of the approving user; null for an operator or a deleted user. */
  installedBy: string | null
  /** Last use of any token of the app in the organization. */
  lastUsed: Date | null
  /** Users of the organization with a live authorization. */
  people: number
}

/** Which installs a list contains. `unused`: not used for 90 days, or never. */
export const installStates = ['working', 'suspended', 'unused'] as const

/** How many apps wait for a decision of an admin. */
export interface WaitingDecisions {
  /** Apps that members ask for. */
  requested: number
  /** Installed apps that ask for permissions that no admin has approved or declined. */
  widening: number
}

export interface OrganizationAppStore {
  /** Live installs, by the app's name. The request can ask for a `state`. */
  list(organizationId: string, page: PageRequest): Promise<Page<InstalledApp>>
  /** Live installs whose app asks for more than an admin has decided, by the app's name. */
  widening(organizationId: string, limit: number): Promise<InstalledApp[]>
  waiting(organizationId: string): Promise<WaitingDecisions>
  /** The organizations in which apps wait for this admin, at most 10, and how many: the most first. */
  waitingFor(userId: string): Promise<{ id: string; name: string; count: number }[]>
  /** The live install of this app. */
  find(organizationId: string, clientId: string): Promise<InstalledApp | null>
  /** Was the app ever installed or requested there? */
  knows(organizationId: string, clientId: string): Promise<boolean>
}

export type InstalledAppWithWidening = InstalledApp & { widening: Widening }

/** Installed apps of an organization, and their use. */
export const createOrganizationApps = (store: OrganizationAppStore, people: AppPeopleStore) => {
  const withWidening = (one: InstalledApp): InstalledAppWithWidening => ({
    ...one,
    widening: wideningOf(one.app.permissions, one.install),
  })
  return {
    /** By the app's name. */
    list: async (organizationId: string, page: PageRequest) => {
      const { items, next } = await store.list(organizationId, page)
      return { items: items.map(withWidening), next }
    },

    find: async (organizationId: string, clientId: string) => {
      const one = await store.find(organizationId, clientId)
      return one ? withWidening(one) : null
    },

    /** Apps that ask for more than an admin has decided, by name. @param limit at most this many */
    widening: async (organizationId: string, limit: number): Promise<InstalledAppWithWidening[]> =>
      (await store.widening(organizationId, limit)).map(withWidening),

    /** How many apps wait for an admin. */
    waiting: store.waiting,
    waitingFor: store.waitingFor,

    knows: store.knows,

    /** The users of an app, one of them, and its active secrets. */
    people: people.list,
    person: people.find,
    secrets: people.secrets,
  }
}

export type OrganizationApps = ReturnType<typeof createOrganizationApps>
