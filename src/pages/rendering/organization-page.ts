/** What the templates for the pages of an organization share. */

import type { Phrase } from '../../words/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { TabGroup } from './tab-groups.ts'
import type {
  Notice,
  OrganizationName,
  PageFrame,
  SearchField,
  SignedInUser,
} from './view-models/frame.ts'
import type { WorkspaceChoice } from './view-models/steps.ts'

export type OrganizationTabs = {
  organization: OrganizationName
  tabs: TabGroup[]
  search: SearchField
}

export type TabbedPage = PageFrame & OrganizationTabs & { user: SignedInUser }

export type OrganizationPage = TabbedPage & {
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
  /** What to do instead of unticking what the app requires; `null`: it requires nothing. */
  lockedHint: string | null
  /** `null` on the legacy interface, which knows no workspaces. */
  workspaces: WorkspaceChoice | null
  error: string | null
}

/** `all`: every workspace, including future ones. `null`: legacy, no workspaces. */
export type WorkspaceNames = 'all' | string[] | null

/** Values that another admin saved while this one was editing. */
export type EditConflict = {
  heading: Phrase
  name: string | null
  description: string | null
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
}
