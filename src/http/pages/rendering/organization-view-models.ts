/** Data of the templates for the pages of an organization. */

import type { Phrase } from '../en/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { WorkspaceChoice } from './step-view-models.ts'
import type {
  AppCard,
  ListLinks,
  Moment,
  Notice,
  OrganizationName,
  Page,
  SignedInUser,
} from './view-models.ts'

export type OrganizationTab = { label: string; href: string; isCurrent: boolean }

export type OrganizationTabs = { organization: OrganizationName; tabs: OrganizationTab[] }

type OrganizationPage = Page &
  OrganizationTabs & {
    user: SignedInUser
    /** The target of the forms of the page. */
    action: string
    notice: Notice | null
  }

/** Checkboxes of an approval. `prefix` keeps ids unique when a page has several. */
export type ApprovalFields = {
  prefix: string
  permissionGroups: PermissionGroup[]
  /** True when at least one line can be unticked. */
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

/** `all`: every workspace, including future ones. `null`: legacy, no workspaces. */
export type WorkspaceNames = 'all' | string[] | null

/** Permissions that the app asks for in addition to the approved ones. */
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
  /** The search form; null when the list is short. */
  find: { action: string; name: string } | null
  /** The oldest requests. */
  requests: RequestItem[]
  /** The total number of requested apps. */
  requested: number
  installed: InstalledItem[]
  list: ListLinks
}

/** Values that another admin saved while this one was editing. */
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
  /** Positions in percent of the width of the drawing. */
  life: { start: number; now: number; end: number; used: number | null; words: string }
  /** Set when the secret is known to have signed tokens without expiry; else null. */
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
  /** Names of the workloads that it trusts. */
  workloads: string[]
  createdBy: string | null
  created: Moment
  secrets: SecretItem[]
  overlaps: { seconds: number; words: string; hint: string; isDefault: boolean }[]
  /** The reason when no overlap can be chosen; else null. */
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
    /** null for a new key set. */
    version: string | null
    saved: EditConflict | null
    interface: 'legacy' | 'current'
    /** The form for the other interface; null when the interface is fixed. */
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
  /** null when the secret was shown before or the time for it has passed. */
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

export type DirectoryItem = {
  clientId: string
  app: AppCard
  state: 'free' | 'requested' | 'installed' | 'suspended'
}

/** Apps that the operator has listed. Members see the page too. */
export type OrganizationDirectoryPage = Page & {
  organization: OrganizationName
  user: SignedInUser
  isAdmin: boolean
  action: string
  find: { action: string; name: string }
  apps: DirectoryItem[]
  list: ListLinks
}

export type OrganizationPages = {
  'organization-directory': OrganizationDirectoryPage
  'organization-apps': OrganizationAppsPage
  'organization-app': OrganizationAppPage
  'organization-keys': OrganizationKeysPage
  'key-set-form': KeySetFormPage
  'key-set-secret': KeySetSecretPage
}
