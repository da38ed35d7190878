// The directory: apps that the operator has listed, as a member of an organization sees them.
import type { App } from '../clients/app.ts'
import type { Page, PageRequest } from '../language/paging.ts'

export interface DirectoryEntry {
  app: App
  /** Live install in the organization; null: none. */
  install: { suspended: boolean } | null
  /** The user has an open request for the app there. */
  isRequested: boolean
}

/** The apps that members of every organization can find and ask for. */
export interface Directory {
  /** Listed apps that are not disabled, by name. */
  list(organizationId: string, userId: string, search: PageRequest): Promise<Page<DirectoryEntry>>
  /** null: not listed, disabled or unknown. */
  find(clientId: string): Promise<App | null>
  isEmpty(): Promise<boolean>
}
