/** Data of the templates for the pages of an organization. */

import type {
  ApprovalFields,
  EditConflict,
  OrganizationPage,
  WorkspaceNames,
} from './organization-page.ts'
import type { PermissionGroup } from './permission-list.ts'
import type {
  AppCard,
  ListLinks,
  Moment,
  OrganizationName,
  Page,
  SignedInUser,
} from './view-models.ts'

export type SecretItem = {
  hint: string
  created: Moment
  lastUsed: Moment | null
  until: Moment | null
  standing: { words: string; tone: 'good' | 'warn' | 'plain' }
  /** Set when the secret is known to have signed tokens without expiry; else null. */
  endless: string | null
  retireUrl: string
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
  editUrl: string
  /** null on the legacy interface. */
  workloadsUrl: string | null
  rotateUrl: string
  deleteUrl: string
}

export type OrganizationKeysPage = OrganizationPage & {
  newUrl: string
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
    /** The interfaces, where one can be chosen. */
    kinds: { name: string; hint: string; href: string; isChosen: boolean }[]
    name: string
    description: string
    field: string
    nameError: string | null
    descriptionError: string | null
    workspacesError: string | null
    backUrl: string
  }

export type KeySetRotatePage = OrganizationPage & {
  keySetId: string
  name: string
  overlaps: { seconds: number; words: string; hint: string; isDefault: boolean }[]
  /** Why there is no choice; else null. */
  obstacle: string | null
  backUrl: string
}

export type KeySetWorkloadsPage = OrganizationPage & {
  keySetId: string
  name: string
  workloads: {
    issuer: string
    subject: string | null
    claims: string[]
    jwksUri: string | null
    removeUrl: string
  }[]
  /** Set when no more can be added. */
  full: string | null
  given: Record<WorkloadField, string>
  faults: Partial<Record<WorkloadField, string>>
  error: string | null
  field: string
  backUrl: string
}

export type WorkloadField = 'issuer' | 'subject' | 'claims' | 'jwks_uri'

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
  'organization-keys': OrganizationKeysPage
  'key-set-form': KeySetFormPage
  'key-set-secret': KeySetSecretPage
  'key-set-rotate': KeySetRotatePage
  'key-set-workloads': KeySetWorkloadsPage
}
