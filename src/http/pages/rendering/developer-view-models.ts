// Data of the pages for owners of apps.
import type { Phrase } from '../en/phrase.ts'
import type { AccountPage } from './account-view-models.ts'
import type { KeySetSecretPage } from './organization-view-models.ts'
import type { ListLinks, Moment, Notice } from './view-models.ts'

/** An app in the list of its owner. */
export type OwnedAppItem = {
  name: string
  clientId: string
  idLabel: string
  href: string
  /** Interface, client type and installs, in words. */
  facts: string[]
  isDisabled: boolean
}

export type DeveloperPage = AccountPage & { apps: OwnedAppItem[]; list: ListLinks }

export type AppSecretItem = {
  deleteUrl: string
  hint: string
  created: Moment
  lastUsed: Moment | null
  until: Moment | null
}

export type DeveloperAppPage = AccountPage & {
  notice: Notice | null
  app: { name: string; monogram: string }
  idLabel: string
  clientId: string
  isDisabled: boolean
  interfaceName: string
  clientType: string
  redirectUris: string[]
  permissions: string[]
  publisher: string | null
  /** Number of its public keys, or the address where it publishes them; null: it has none. */
  keys: string | null
  /** Names of the workloads that it trusts. */
  workloads: string[]
  installs: string
  secrets: AppSecretItem[]
  /** Newest first. */
  changes: { words: Phrase; at: Moment }[]
  /** Why the app can have no secret; null when it can. */
  obstacle: string | null
  replace: { label: string; href: string }
  backUrl: string
}

export type DeveloperReplacePage = AccountPage & {
  action: string
  backUrl: string
  heading: Phrase
  obstacle: string | null
  /** The newest secret that the page knows; empty when there is none. */
  newest: string
  /** The name by which the next page fetches the new secret. */
  handover: string
  /** What can happen to the secret in use; null when there is none. */
  choice: {
    /** null when two secrets are active. */
    overlaps: { seconds: number; words: string; isChosen: boolean }[] | null
    full: string
    isKept: boolean
    isLeaked: boolean
    leakedHint: string
  } | null
  error: string | null
}

export type DeveloperDeletePage = AccountPage & {
  action: string
  backUrl: string
  replaceUrl: string
  heading: Phrase
  isLast: boolean
}

export type DeveloperSecretPage = AccountPage & {
  name: string
  shown: KeySetSecretPage['shown']
  others: string[]
  backUrl: string
}

export type DeveloperPages = {
  developer: DeveloperPage
  'developer-app': DeveloperAppPage
  'developer-replace': DeveloperReplacePage
  'developer-delete': DeveloperDeletePage
  'developer-secret': DeveloperSecretPage
}
