/** What each template of an organization's own pages is given. */

import type { Phrase } from '../en/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type {
  AppCard,
  ListLinks,
  Moment,
  Notice,
  OrganizationName,
  Page,
  SignedInUser,
  WorkspaceChoice,
} from './view-models.ts'

export type OrganizationTab = { label: string; href: string; isCurrent: boolean }

export type OrganizationTabs = { organization: OrganizationName; tabs: OrganizationTab[] }

type OrganizationPage = Page &
  OrganizationTabs & {
    user: SignedInUser
    /** Where the forms of the page are sent. */
    action: string
    notice: Notice | null
  }

/** Boxes with which an admin says how far; `prefix` keeps the ids of several on one page apart. */
export type ApprovalFields = {
  prefix: string
  permissionGroups: PermissionGroup[]
  /** Some line is a choice, not only what is always included. */
  mayUntick: boolean
  /** `null` on the legacy interface, which knows no workspaces. */
  workspaces: WorkspaceChoice | null
  error: string | null
}

export type RequestItem = ApprovalFields & {
  clientId: string
  app: AppCard
  people: {
    requestId: string
    name: string
    email: string
    on: Moment
    reason: string | null
  }[]
}

/** `all`: every workspace, also future ones; `null`: legacy, no workspaces. */
export type WorkspaceNames = 'all' | string[] | null

/** Permissions that the app asks for beyond what was approved. */
export type WideningItem = { permissionGroups: PermissionGroup[]; offered: string[] }

export type InstalledItem = {
  clientId: string
  app: AppCard
  isSuspended: boolean
  isDisabled: boolean
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
  installedBy: string | null
  since: Moment
  lastUsed: Moment | null
  people: string
  fresh: WideningItem | null
  declined: WideningItem | null
  changeUrl: string
  uninstallConsequence: Phrase
}

export type OrganizationAppsPage = OrganizationPage & {
  /** The field of the first fault, for the summary on top. */
  field: string
  error: string | null
  /** The form that looks for an app by its name; null: there is little to look through. */
  find: { action: string; name: string } | null
  /** Those that wait longest. */
  requests: RequestItem[]
  /** How many apps are asked for in all. */
  requested: number
  installed: InstalledItem[]
  list: ListLinks
}

/** What another admin has saved while this one was looking. */
export type EditConflict = {
  heading: Phrase
  name: string | null
  description: string | null
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
}

export type OrganizationAppPage = OrganizationPage &
  ApprovalFields & {
    version: string
    saved: EditConflict | null
    clientId: string
    app: AppCard
    backUrl: string
  }

export type SecretItem = {
  id: string
  hint: string
  created: Moment
  lastUsed: Moment | null
  until: Moment | null
  standing: { words: string; tone: 'good' | 'warn' | 'plain' }
  /** In hundredths of the width of the drawing. */
  life: { start: number; now: number; end: number; used: number | null; words: string }
  /** That it has signed tokens without an end; null: it has not, as far as is known. */
  endless: string | null
  retireConsequence: string
}

export type KeySetItem = {
  id: string
  name: string
  description: string | null
  interfaceName: string
  idLabel: string
  clientId: string
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
  createdBy: string | null
  created: Moment
  secrets: SecretItem[]
  overlaps: { seconds: number; words: string; hint: string; isDefault: boolean }[]
  /** Why there is no choice of an overlap; null: there is. */
  overlapObstacle: string | null
  editUrl: string
  deleteConsequence: Phrase
}

export type OrganizationKeysPage = OrganizationPage & {
  newUrls: { label: string; href: string }[]
  keySets: KeySetItem[]
  list: ListLinks
}

export type KeySetFormPage = OrganizationPage &
  ApprovalFields & {
    heading: string
    lead: string
    submit: string
    decision: 'create' | 'change'
    keySetId: string | null
    /** null: it is a new one. */
    version: string | null
    saved: EditConflict | null
    interface: 'legacy' | 'current'
    /** The same form for the other interface; null where it is fixed. */
    other: { label: string; href: string } | null
    name: string
    description: string
    field: string
    nameError: string | null
    descriptionError: string | null
    workspacesError: string | null
    backUrl: string
  }

export type KeySetSecretPage = OrganizationPage & {
  keySetName: string
  /** null: it was shown before, or the time to look at it is over. */
  shown: {
    idLabel: string
    clientId: string
    secretLabel: string
    secret: string
    fileName: string
    download: string
    usage: string
  } | null
  others: string[]
  backUrl: string
}

export type OrganizationPages = {
  'organization-apps': OrganizationAppsPage
  'organization-app': OrganizationAppPage
  'organization-keys': OrganizationKeysPage
  'key-set-form': KeySetFormPage
  'key-set-secret': KeySetSecretPage
}
