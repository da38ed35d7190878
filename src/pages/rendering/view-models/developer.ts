// Data of the pages for owners of apps.
import type { Phrase } from '../../../words/phrase.ts'
import type { AccountPage } from './account.ts'
import type { ListLinks, Moment, Notice } from './frame.ts'

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

/** A value of a setting, as people compare it. */
export type SettingValue = {
  words: string
  /** Why it is sensitive. */
  mark: string | null
  /** Path of an image. */
  logo: string | null
  isCode: boolean
}

/** What a change takes away from a setting, and what it gives. */
export type SettingDifference = { label: string; taken: SettingValue[]; given: SettingValue[] }

/** A request of an owner. */
export type AppChangeItem = {
  id: string
  requested: Phrase
  at: Moment
  decision: { words: string; isApproved: boolean } | null
  reason: string | null
  note: Phrase | null
  settings: SettingDifference[]
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

export type DeveloperPages = {
  developer: AccountPage & {
    notice: Notice | null
    apps: OwnedAppItem[]
    list: ListLinks
    /** null: the user may have none. */
    sandbox: { openUrl: string | null } | null
  }
  'developer-app': AccountPage & {
    notice: Notice | null
    app: { name: string; monogram: string; logo: string | null }
    idLabel: string
    clientId: string
    isDisabled: boolean
    /** The operator has refused a change of its document. */
    refusedDocument: { at: Moment; note: Phrase | null } | null
    /** Why pages show no logo; null: they do, or there is none. */
    logoFault: string | null
    interfaceName: string
    clientType: string
    redirectUris: string[]
    permissions: string[]
    /** The app says which permissions it requires. */
    saysNeeds: boolean
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
  'developer-webhook': AccountPage & {
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
  'developer-requests': AccountPage & {
    heading: Phrase
    action: string
    /** The id that the reader looks for; empty: all requests. */
    refusals: {
      at: Moment
      words: string
      help: string | null
      request: { id: string; href: string } | null
    }[]
    /** null: none. */
    issued: string | null
    /** Reasons with their counts. */
    refused: string[]
    backUrl: string
  }
}
