/**
 * Data of each template in `views/pages`, finished and typed, so that a view needs at most a loop and a condition. The
 * texts are in `en`.
 */

import type { Phrase } from '../en/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { Text } from './text.ts'

/** A point in time: `iso` for machines, `words` for people. */
export type Moment = { iso: string; words: string }

export type Brand = { name: string; logoUri: string | null; accent: string | null }
export type SignedInUser = { name: string; email: string }
export type OrganizationName = { id: string; name: string }

/** Data of every page. `csrf` fills the hidden field `_csrf` of each form. */
export type Page = {
  text: Text
  brand: Brand
  title: string
  csrf: string
  user: SignedInUser | null
  /** Unread security notices; null when there are none. */
  told: { sentences: Phrase[]; through: string; returnTo: string } | null
  requestId: string
}

/** The app that asks. The server has checked that `homepageUri` is `https:` or `http:`. */
export type AppCard = {
  name: string
  monogram: string
  homepageUri: string | null
  description: string | null
  /** The operator has reviewed the app, and the request certainly comes from it. */
  isReviewed: boolean
  /** Another program on the user's device may receive the answer in place of the app. */
  isUnclaimed: boolean
}

export type SignInPage = Page & {
  app: AppCard | null
  returnTo: string
  /** The reason to sign in again; empty when there is none. */
  again: string
  email: string
  error: string | null
  /** The field that shows the error; null when it concerns no field. */
  errorField: 'email' | null
  /** A hint without an error. */
  notice: string | null
  withPassword: boolean
  /** The platform's OpenID provider. */
  provider: { label: string; href: string } | null
  withPasskey: boolean
}

/** A step between "the app asked" and "back to the app". Forms post to `action`. */
export type InteractionPage = Page & {
  user: SignedInUser
  app: AppCard
  action: string
  /** The address of this interaction, for the return after signing in with another account. */
  returnTo: string
  /** The code that the device shows; null when this browser made the request. */
  deviceCode: string | null
  /** The next place for the user. */
  returns: Phrase
  /** Label of the button that ends the request when nothing can be allowed. */
  back: Phrase
}

/** A step within one organization. `switchUrl` leads to the choice when there are others. */
export type OrganizationStepPage = InteractionPage & {
  organization: OrganizationName
  switchUrl: string | null
}

export type OrganizationChoice = OrganizationName & {
  role: 'admin' | 'member'
  installed: boolean
}

export type ChooseOrganizationPage = InteractionPage & {
  organizations: OrganizationChoice[]
  selectedId: string | null
  /** The app named an organization that this user cannot use. */
  preselectedUnavailable: boolean
  error: string | null
}

export type WorkspaceOption = { id: string; name: string; ticked: boolean }

export type WorkspaceChoice = {
  /** The checkbox `*` (including future ones); `null` where it is not offered (consent). */
  all: { ticked: boolean } | null
  options: WorkspaceOption[]
  /** The number of workspaces in the organization, for "2 of 5"; `null` omits the line. */
  total: number | null
  /** Collapses a long list; `null` for a short one. The script uses the words. */
  fold: { isOpen: boolean; summary: string; words: { all: string; some: string } } | null
}

export type InstallPage = OrganizationStepPage & {
  permissionGroups: PermissionGroup[]
  /** True when at least one line can be unticked. */
  mayUntick: boolean
  /** `null` on the legacy interface, which has no workspaces. */
  workspaces: WorkspaceChoice | null
  /** The data that the app will request from each user; `null` when none. */
  identity: string | null
  error: string | null
}

export type ConsentPage = Omit<InstallPage, 'identity'> & {
  approval: { by: string; on: Moment } | null
}

export type AskAdminPage = OrganizationStepPage & {
  admins: string[]
  /** Time of the latest refusal. */
  refusedAt: Moment | null
  /** Time when this user withdrew the latest request. */
  withdrawnAt: Moment | null
}

/** This user cannot continue in this organization. */
export type BlockedPage = OrganizationStepPage & { heading: string; message: string; move: string }

export type RequestSentPage = OrganizationStepPage & {
  clientId: string
  admins: string[]
  asked: Moment
}

/** The page that takes the code of a device. */
export type DevicePage = Page & {
  user: SignedInUser
  action: string
  returnTo: string
  organization: null
  /** As typed or given in the link. */
  userCode: string
  error: string | null
}

export type DonePage = Page & { heading: string; message: string }

export type SignOutPage = Page & { returnTo: string }

/** An app asks for a sign-out but cannot prove that it concerns this user. */
export type EndSessionPage = Page & {
  user: SignedInUser
  /** null when the app is unknown. */
  app: AppCard | null
  action: string
  /** Names and values of the hidden fields. */
  fields: [string, string][]
  /** The next address of the browser; null when it stays here. */
  returns: Phrase | null
}

export type SignedOutPage = Page & {
  signInUrl: string
  /** Link to sign out at the platform's provider; null when not needed or not possible. */
  providerUrl: string | null
}

export type ErrorPage = Page & {
  heading: string
  /** The event. */
  message: string
  /** The next step, and the person who can take it. */
  move: string
  details: { error: string; description: string } | null
  actions: { label: string; href: string }[]
}

/** A page of the documentation. The build creates `html`. */
export type DocumentPage = { title: string; html: string }

export type HomePage = Page & {
  signInUrl: string
  withPasskeys: boolean
  withPassword: boolean
  /** Organizations that this user administers. */
  organizations: OrganizationName[]
}

export type ConnectedApp = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  permissionGroups: PermissionGroup[]
  /** `all`: every workspace that the organization approved. `null`: legacy, no workspaces. */
  workspaces: 'all' | string[] | null
  since: Moment
  lastUsed: Moment | null
  /** The legacy app whose authorization was migrated to this app. */
  movedFrom: string | null
}

/** An app that this user requested from the admins. */
export type OwnRequestItem = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  asked: Moment
  /** The user's message to the admins. */
  reason: string | null
  refused: Moment | null
}

/** A tab of the account pages. */
export type AccountTab = { label: string; href: string; isCurrent: boolean }

export type AccountPage = Page & { user: SignedInUser; tabs: AccountTab[] }

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

export type SessionsPage = AccountPage & {
  action: string
  notice: Notice | null
  sessions: SessionItem[]
}

export type PasskeysPage = AccountPage & {
  action: string
  notice: string | null
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

export type PasskeyName = { id: string; name: string; isTicked: boolean }

export type PasswordPage = AccountPage & {
  action: string
  notice: string | null
  error: string | null
  errorField: 'current_password' | 'new_password' | null
  hasPassword: boolean
  /** Passkeys that can be removed together with the old password. */
  passkeys: PasskeyName[]
}

export type ConfirmPage = Page & {
  user: SignedInUser
  app: AppCard | null
  returnTo: string
  hasPasskey: boolean
  addUrl: string
  /** The form that denies the app's request; null when there is no request. */
  denyAction: string | null
  error: string | null
}

export type Notice = { words: string; tone: 'good' | 'bad' | 'plain' }

/** Links to other pages of a long list; null where there is none. */
export type ListLinks = { startUrl: string | null; nextUrl: string | null }

export type AccountAppsPage = AccountPage & {
  action: string
  notice: Notice | null
  list: ListLinks
  apps: ConnectedApp[]
  /** Requests without an answer. */
  waiting: OwnRequestItem[]
  refused: OwnRequestItem[]
}

/** All templates and their data: `views/pages/consent.eta` renders `pages['consent']`. */
export type Pages = {
  'sign-in': SignInPage
  'choose-organization': ChooseOrganizationPage
  install: InstallPage
  'ask-admin': AskAdminPage
  'request-sent': RequestSentPage
  blocked: BlockedPage
  consent: ConsentPage
  device: DevicePage
  done: DonePage
  'sign-out': SignOutPage
  'end-session': EndSessionPage
  'signed-out': SignedOutPage
  error: ErrorPage
  home: HomePage
  'account-apps': AccountAppsPage
  sessions: SessionsPage
  passkeys: PasskeysPage
  password: PasswordPage
  confirm: ConfirmPage
}
