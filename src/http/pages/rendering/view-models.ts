/**
 * The pages that people see. Here: what each template in `views/pages` is given, finished and typed,
 * so that a view needs a loop and a condition at most. Words live in `en`.
 */

import type { Phrase } from '../en/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { Text } from './text.ts'

/** A point in time: `iso` for machines, `words` for people. */
export type Moment = { iso: string; words: string }

export type Brand = { name: string; logoUri: string | null; accent: string | null }
export type SignedInUser = { name: string; email: string }
export type OrganizationName = { id: string; name: string }

/** What every page gets. `csrf` fills the hidden field `_csrf` of each form. */
export type Page = {
  text: Text
  brand: Brand
  title: string
  csrf: string
  user: SignedInUser | null
  /** What is new and gives access; null: nothing that this person has not read. */
  told: { sentences: Phrase[]; through: string; returnTo: string } | null
  requestId: string
}

/** Who asks. The address of the site is checked by the server: `https:` or `http:`. */
export type AppCard = {
  name: string
  monogram: string
  homepageUri: string | null
  description: string | null
  /** The operator vouches for the app, and it is certain that it is this app that asks. */
  isReviewed: boolean
  /** Another program on the user's device may receive the answer in place of the app. */
  isUnclaimed: boolean
}

export type SignInPage = Page & {
  app: AppCard | null
  returnTo: string
  /** Why somebody signs in who may be signed in already; empty: no such reason. */
  again: string
  email: string
  error: string | null
  /** Beside which field the error is told; null: it is not about a field. */
  errorField: 'email' | null
  /** Said before anything is wrong. */
  notice: string | null
  withPassword: boolean
  /** The platform's own sign-in. */
  provider: { label: string; href: string } | null
  withPasskey: boolean
}

/** A step between "the app asked" and "back to the app". Forms post to `action`. */
export type InteractionPage = Page & {
  user: SignedInUser
  app: AppCard
  action: string
  /** Where to go on after signing in as somebody else: the address of this interaction. */
  returnTo: string
  /** What the device shows that asked; null: this browser did. */
  deviceCode: string | null
  /** Where the person goes on. */
  returns: Phrase
  /** What the button says that ends the request where nothing can be allowed. */
  back: Phrase
}

/** A step within one organization; `switchUrl` leads to the choice when there is another one. */
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
  /** The app named an organization that this person cannot use. */
  preselectedUnavailable: boolean
  error: string | null
}

export type WorkspaceOption = { id: string; name: string; ticked: boolean }

export type WorkspaceChoice = {
  /** The choice `*`, also future ones; `null` where it is not offered (consent). */
  all: { ticked: boolean } | null
  options: WorkspaceOption[]
  /** How many workspaces the organization has, for "2 of 5"; `null` leaves the line out. */
  total: number | null
  /** For many; `null`: they are few enough to stand open. The words are for the script. */
  fold: { isOpen: boolean; summary: string; words: { all: string; some: string } } | null
}

export type InstallPage = OrganizationStepPage & {
  permissionGroups: PermissionGroup[]
  /** Some line is a choice, not only what is always included. */
  mayUntick: boolean
  /** `null` on the legacy interface, which knows no workspaces. */
  workspaces: WorkspaceChoice | null
  /** What the app will ask each person for; `null`: nothing. */
  identity: string | null
  error: string | null
}

export type ConsentPage = Omit<InstallPage, 'identity'> & {
  approval: { by: string; on: Moment } | null
}

export type AskAdminPage = OrganizationStepPage & {
  admins: string[]
  /** When the latest request was refused. */
  refusedAt: Moment | null
  /** When this person took the latest request back. */
  withdrawnAt: Moment | null
}

/** Nothing can be done in this organization, or not by this person. */
export type BlockedPage = OrganizationStepPage & { heading: string; message: string; move: string }

export type RequestSentPage = OrganizationStepPage & {
  clientId: string
  admins: string[]
  asked: Moment
}

/** Where a code that a device shows is entered. */
export type DevicePage = Page & {
  user: SignedInUser
  action: string
  returnTo: string
  organization: null
  /** As it was typed, or stood in the link. */
  userCode: string
  error: string | null
}

export type DonePage = Page & { heading: string; message: string }

export type SignOutPage = Page & { returnTo: string }

/** An app asks for a sign-out, and cannot show that it is this person's. */
export type EndSessionPage = Page & {
  user: SignedInUser
  /** null: nobody can say who asks. */
  app: AppCard | null
  action: string
  /** Hidden fields: names and values. */
  fields: [string, string][]
  /** Where the browser goes afterwards; null: it stays here. */
  returns: Phrase | null
}

export type SignedOutPage = Page & {
  signInUrl: string
  /** Where the person signs out at the platform's provider too; null: there is no need, or no way. */
  providerUrl: string | null
}

export type ErrorPage = Page & {
  heading: string
  /** What happened. */
  message: string
  /** Whose move it is, and which. */
  move: string
  details: { error: string; description: string } | null
  actions: { label: string; href: string }[]
}

/** A page of the documentation; `html` is as the build made it. */
export type DocumentPage = { title: string; html: string }

export type HomePage = Page & {
  signInUrl: string
  withPasskeys: boolean
  withPassword: boolean
  /** The organizations this person administers. */
  organizations: OrganizationName[]
}

export type ConnectedApp = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  permissionGroups: PermissionGroup[]
  /** `all`: every workspace the organization approved; `null`: legacy, no workspaces. */
  workspaces: 'all' | string[] | null
  since: Moment
  lastUsed: Moment | null
  /** The legacy app whose authorization it has taken over. */
  movedFrom: string | null
}

/** An app that this person asked the admins for. */
export type OwnRequestItem = {
  clientId: string
  app: AppCard
  organization: OrganizationName
  asked: Moment
  /** What the person wrote to the admins. */
  reason: string | null
  refused: Moment | null
}

/** The pages of one's own account. */
export type AccountTab = { label: string; href: string; isCurrent: boolean }

export type AccountPage = Page & { user: SignedInUser; tabs: AccountTab[] }

export type PasskeyItem = {
  id: string
  name: string
  added: Moment
  lastUsed: Moment | null
  /** A new name that was typed and cannot be; null: none was. */
  refusedName: string | null
}

/** A session of one's own. */
export type SessionItem = {
  id: string
  isCurrent: boolean
  /** Browser and system, in words. */
  device: string
  address: string | null
  /** What was shown to sign in, in words. */
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
  /** The field that the error is about; null: it is about none. */
  field: string | null
  /** What was typed for a new one. */
  newName: string
  passkeys: PasskeyItem[]
  /** Why nothing can be added or removed right now, and where that is put right; null: it can. */
  obstacle: { words: string; label: string; href: string } | null
  /** Where the person was sent from, to go on when a passkey is there; empty: nowhere. */
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
  /** Passkeys that can be removed with the old password. */
  passkeys: PasskeyName[]
}

export type ConfirmPage = Page & {
  user: SignedInUser
  app: AppCard | null
  returnTo: string
  hasPasskey: boolean
  addUrl: string
  /** The form of the app's request, where it can be denied instead; null when nothing waits. */
  denyAction: string | null
  error: string | null
}

export type Notice = { words: string; tone: 'good' | 'bad' | 'plain' }

/** The ways on from one page of a long list; null where there is none. */
export type ListLinks = { startUrl: string | null; nextUrl: string | null }

export type AccountAppsPage = AccountPage & {
  action: string
  notice: Notice | null
  list: ListLinks
  apps: ConnectedApp[]
  /** Nobody has answered these yet. */
  waiting: OwnRequestItem[]
  refused: OwnRequestItem[]
}

/** Every template and what it needs: `pages['consent']` is rendered by `views/pages/consent.eta`. */
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
