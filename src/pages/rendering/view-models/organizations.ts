/** Data of the templates for the pages of an organization. */
import type { OrganizationPage, TabbedPage, WorkspaceNames } from '../organization-page.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type {
  AppCard,
  ListFilter,
  ListLinks,
  Moment,
  Notice,
  OrganizationName,
  PageFrame,
  ShownEnd,
  SignedInUser,
} from './frame.ts'

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
  activityUrl: string
  /** null on the legacy interface. */
  workloadsUrl: string | null
  rotateUrl: string
  deleteUrl: string
}

export type DirectoryItem = {
  clientId: string
  app: AppCard
  state: 'free' | 'requested' | 'installed' | 'suspended'
}

export type ReviewRow = {
  app: string
  appUrl: string
  person: { name: string; email: string } | null
  findings: string[]
  surplus: string | null
  lastUsed: Moment | null
  since: Moment
  end: ShownEnd | null
}

export type OrganizationPages = {
  'organization-keys': OrganizationPage & {
    newUrl: string
    keySets: KeySetItem[]
    filter: ListFilter | null
    list: ListLinks
  }
  /** Apps that the operator has listed. Members see the page too. */
  'organization-directory': PageFrame & {
    organization: OrganizationName
    user: SignedInUser
    isAdmin: boolean
    action: string
    filter: ListFilter
    apps: DirectoryItem[]
    list: ListLinks
  }
  'organization-review': TabbedPage & {
    notice: Notice | null
    downloadUrl: string
    installs: ReviewRow[]
    consents: ReviewRow[]
    hasSurplus: boolean
    installList: ListLinks
    consentList: ListLinks
  }
}
