// Data of the pages for owners of apps.
import type { Phrase } from '../../../words/phrase.ts'
import type { AccountPage } from './account-view-models.ts'
import type { ShownSecret } from './block-view-models.ts'
import type { PermissionGroup } from './permission-list.ts'
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

export type DeveloperPage = AccountPage & {
  notice: Notice | null
  apps: OwnedAppItem[]
  list: ListLinks
  /** null: the user may have none. */
  sandbox: { openUrl: string | null } | null
}

/** A request of an owner. */
export type AppChangeItem = {
  id: string
  asked: Phrase
  at: Moment
  decision: { words: string; isApproved: boolean } | null
  reason: string | null
  note: Phrase | null
  settings: { label: string; before: string[]; after: string[] }[]
}

export type WebhookItem = {
  url: string
  href: string
  description: string | null
  events: string
  state: { words: string; isActive: boolean }
}

export type DeliveryItem = {
  id: string
  event: string
  at: Moment
  outcome: string
  isGood: boolean
  details: string[]
  mayResend: boolean
}

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
  /** Why pages show no logo; null: they do, or there is none. */
  logoFault: string | null
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
  /** The request that waits; null: none does. */
  waiting: AppChangeItem | null
  /** Newest first. */
  decided: AppChangeItem[]
  changeUrl: string
  withdrawUrl: string
  webhooks: WebhookItem[]
  newWebhook: { url: string } | { full: string }
  requestsUrl: string
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
  shown: ShownSecret | null
  others: string[]
  backUrl: string
}

export type DeveloperChangePage = AccountPage & {
  action: string
  backUrl: string
  heading: Phrase
  lead: string
  /** The settings come from a metadata document, so there is no form. */
  isDocument: boolean
  version: string
  given: {
    name: string
    description: string
    homepageUri: string
    logoUri: string
    policyUri: string
    tosUri: string
    redirectUris: string
    jwks: string
    jwksUri: string
    reason: string
  }
  types: { value: string; label: string; isChosen: boolean }[]
  permissionGroups: PermissionGroup[]
  hasKeys: boolean
  faults: Partial<Record<string, string>>
  error: string | null
}

export type DeveloperWebhookPage = AccountPage & {
  notice: Notice | null
  name: string
  url: string
  description: string | null
  events: readonly string[]
  isEveryEvent: boolean
  state: { words: string; isActive: boolean }
  mayEnable: boolean
  hints: string[]
  /** The path of this page. */
  at: string
  deliveries: DeliveryItem[]
  olderUrl: string | null
  backUrl: string
}

export type DeveloperWebhookFormPage = AccountPage & {
  heading: Phrase
  action: string
  backUrl: string
  submit: string
  handover: string
  given: { url: string; description: string }
  isEvery: boolean
  events: { type: string; isChosen: boolean }[]
  faults: Partial<Record<'url' | 'events' | 'description', string>>
  error: string | null
}

export type DeveloperWebhookRotatePage = AccountPage & {
  heading: Phrase
  action: string
  backUrl: string
  newest: string
  handover: string
  /** null when two secrets are active. */
  overlaps: { seconds: number; words: string; isChosen: boolean }[] | null
  error: string | null
}

export type DeveloperWebhookSecretPage = AccountPage & {
  heading: Phrase
  shown: ShownSecret | null
  others: string[]
  backUrl: string
}

export type DeveloperConfirmPage = AccountPage & {
  action: string
  backUrl: string
  heading: Phrase
  lead: Phrase
  submit: string
  cancel: string
  isDanger: boolean
}

export type DeveloperRequestsPage = AccountPage & {
  heading: Phrase
  action: string
  /** The id that the reader looks for; empty: all requests. */
  sought: string
  refusals: { at: Moment; requestId: string | null; code: string; words: string }[]
  /** null: none. */
  issued: string | null
  /** Reasons with their counts. */
  refused: string[]
  backUrl: string
}

export type DeveloperTestPeoplePage = AccountPage & {
  notice: Notice | null
  lead: string
  people: { name: string; email: string; removeUrl: string }[]
  /** null: there is room for more. */
  full: string | null
  action: string
  handover: string
  given: string
  error: string | null
  field: string | null
  backUrl: string
}

/** The password of a new test person, once. */
export type DeveloperTestPersonPage = AccountPage & {
  heading: Phrase
  shown: ShownSecret | null
  others: string[]
  backUrl: string
}

export type DeveloperPages = {
  'developer-change': DeveloperChangePage
  'developer-webhook': DeveloperWebhookPage
  'developer-webhook-form': DeveloperWebhookFormPage
  'developer-webhook-rotate': DeveloperWebhookRotatePage
  'developer-webhook-secret': DeveloperWebhookSecretPage
  'developer-confirm': DeveloperConfirmPage
  'developer-test-people': DeveloperTestPeoplePage
  'developer-test-person': DeveloperTestPersonPage
  'developer-requests': DeveloperRequestsPage
  developer: DeveloperPage
  'developer-app': DeveloperAppPage
  'developer-replace': DeveloperReplacePage
  'developer-delete': DeveloperDeletePage
  'developer-secret': DeveloperSecretPage
}
