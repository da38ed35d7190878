// What the templates for the pages of an organization share.
import type { Phrase } from '../../words/phrase.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { TabGroup } from './tab-groups.ts'
import type { OrganizationName, SearchField } from './view-models/frame.ts'

export type OrganizationTabs = {
  organization: OrganizationName
  tabs: TabGroup[]
  search: SearchField
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
