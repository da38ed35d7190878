import type { App } from '../clients/app.ts'
import type { Page, SearchRequest } from '../language/paging.ts'
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

export interface OrganizationAppStore {
  /** Live installs, by the app's name. */
  list(organizationId: string, search: SearchRequest): Promise<Page<InstalledApp>>
  /** The live install of this app. */
  find(organizationId: string, clientId: string): Promise<InstalledApp | null>
  /** Was the app ever installed or requested there? */
  knows(organizationId: string, clientId: string): Promise<boolean>
}

export type InstalledAppWithWidening = InstalledApp & { widening: Widening }

/** Installed apps of an organization, and their use. */
export const createOrganizationApps = ({ store }: { store: OrganizationAppStore }) => {
  const withWidening = (one: InstalledApp): InstalledAppWithWidening => ({
    ...one,
    widening: wideningOf(one.app.permissions, one.install),
  })
  return {
    /** By the app's name. */
    list: async (
      organizationId: string,
      search: SearchRequest,
    ): Promise<Page<InstalledAppWithWidening>> => {
      const { items, next } = await store.list(organizationId, search)
      return { items: items.map(withWidening), next }
    },

    find: async (
      organizationId: string,
      clientId: string,
    ): Promise<InstalledAppWithWidening | null> => {
      const one = await store.find(organizationId, clientId)
      return one ? withWidening(one) : null
    },

    knows: store.knows,
  }
}

export type OrganizationApps = ReturnType<typeof createOrganizationApps>
