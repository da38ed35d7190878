import type { AccessEnd } from '../language/access-end.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { InstallKey } from './install.ts'

/** A member of the organization who has allowed an app. */
export interface PersonOfApp extends AccessEnd {
  userId: string
  name: string
  email: string
  since: Date
  /** Last use of a token of the app for this user; null: none is recorded. */
  lastUsed: Date | null
  /** False: the access has no consent, so it has no end of its own. */
  hasConsent: boolean
}

/** An active secret of an app. Its last use is not shown, because other organizations use it too. */
export interface SecretOfApp {
  createdAt: Date
  /** null: it has no end yet. */
  expiresAt: Date | null
}

export interface AppPeopleStore {
  /** Members with a consent, a live grant or an assertion for the live install, by name. */
  list(install: InstallKey, search: PageRequest): Promise<Page<PersonOfApp>>
  /** null: the user is none of these. */
  find(person: InstallKey & { userId: string }): Promise<PersonOfApp | null>
  /** Oldest first. */
  secrets(clientId: string): Promise<SecretOfApp[]>
}
