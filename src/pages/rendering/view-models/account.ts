// Data of the account pages.
import type { PermissionGroup } from '../permission-list.ts'
import type {
  AppCard,
  ListLinks,
  Moment,
  Notice,
  OrganizationName,
  PageFrame,
  ShownEnd,
  SignedInUser,
} from './frame.ts'

export type ConnectedApp = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  permissionGroups: PermissionGroup[]
  /** `all`: every workspace that the organization approved. `null`: legacy, no workspaces. */
  workspaces: 'all' | string[] | null
  since: Moment
  lastUsed: Moment | null
  /** When it ends by itself; null: it does not. */
  end: ShownEnd | null
  /** The organization has suspended the app. */
  isSuspended: boolean
  /** Why the user may not use it now; null: they may. */
  keptOut: string | null
  /** The legacy app whose authorization was migrated to this app. */
  movedFrom: string | null
  /** Names of other apps that act through it. */
  actors: string[]
}

/** An app that this user requested from the admins. */
export type OwnRequestItem = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  requested: Moment
  /** The user's message to the admins. */
  reason: string | null
  refused: Moment | null
  /** What the admin who refused it has written. */
  refusalReason: string | null
  /** When it ended without an answer. */
  expired: Moment | null
}

/** A tab of the account pages. */
export type AccountTab = { label: string; href: string; isCurrent: boolean }

export type AccountPage = PageFrame & { user: SignedInUser; tabs: AccountTab[] }

export type PasskeyItem = {
  id: string
  name: string
  added: Moment
  lastUsed: Moment | null
  /** A new name that was refused; null when there was none. */
  refusedName: string | null
}

/** A session of the user. */
export type SessionItem = {
  id: string
  isCurrent: boolean
  /** Browser and system, in words. */
  device: string
  address: string | null
  /** The sign-in methods, in words. */
  methods: string
  since: Moment
  lastSeen: Moment
}

export type PasskeysPage = AccountPage & {
  action: string
  notice: Notice | null
  error: string | null
  /** The field that the error concerns; null when it concerns none. */
  field: string | null
  /** The typed name of a new passkey. */
  newName: string
  passkeys: PasskeyItem[]
  /** The reason why passkeys cannot be added or removed now, with a link that helps; null when they can. */
  obstacle: { words: string; label: string; href: string } | null
  /** The address to return to once the user has a passkey; empty when none. */
  returnTo: string
  hasArrived: boolean
}

export type PasswordPage = AccountPage & {
  action: string
  notice: Notice | null
  error: string | null
  errorField: 'current_password' | 'new_password' | null
  hasPassword: boolean
  /** Passkeys that can be removed together with the old password. */
  passkeys: { id: string; name: string; isTicked: boolean }[]
}

export type AccountPages = {
  'account-apps': AccountPage & {
    action: string
    notice: Notice | null
    list: ListLinks
    apps: ConnectedApp[]
    /** Requests without an answer. */
    waiting: OwnRequestItem[]
    refused: OwnRequestItem[]
    expired: OwnRequestItem[]
  }
  sessions: AccountPage & {
    action: string
    notice: Notice | null
    sessions: SessionItem[]
  }
  notifications: AccountPage & {
    action: string
    notice: Notice | null
    categories: { name: string; label: string; hint: string; isTicked: boolean }[]
  }
  /** A link of a mail that ends some mails. */
  unsubscribe: PageFrame & {
    state: 'asking' | 'done' | 'invalid'
    action: string
    labels: string[]
  }
  passkeys: PasskeysPage
  password: PasswordPage
}
