import type { App } from '../clients/app.ts'
import type { Page, Search } from '../language/paging.ts'
import { type Install, type Widening, wideningOf } from './install.ts'

/** An install as the organization's admins look at it. */
export interface InstalledApp {
  app: App
  install: Omit<Install, 'installedBy'>
  /** Name of who approved it; null when it was an operator, or somebody who is gone. */
  installedBy: string | null
  /** By anybody's token, or by one of the app's own. */
  lastUsed: Date | null
  /** How many of the organization's people have allowed it and still do. */
  people: number
}

export interface OrganizationAppStore {
  /** Live installs, by the app's name. */
  list(organizationId: string, search: Search): Promise<Page<InstalledApp>>
  /** The live install of this app. */
  find(organizationId: string, clientId: string): Promise<InstalledApp | null>
  /** Was the app ever installed there, or asked for? */
  knows(organizationId: string, clientId: string): Promise<boolean>
}

export type InstalledAppWithWidening = InstalledApp & { widening: Widening }

/** What an organization has let in, and how it is used. */
export const createOrganizationApps = ({ store }: { store: OrganizationAppStore }) => {
  const withWidening = (one: InstalledApp): InstalledAppWithWidening => ({
    ...one,
    widening: wideningOf(one.app.permissions, one.install),
  })
  return {
    /** By the app's name. */
    list: async (
      organizationId: string,
      search: Search,
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
