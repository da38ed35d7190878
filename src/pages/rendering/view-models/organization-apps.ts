/** Data of the templates for the apps and members of an organization. */
import type { Phrase } from '../../../words/phrase.ts'
import type {
  ApprovalFields,
  EditConflict,
  OrganizationPage,
  WorkspaceNames,
} from '../organization-page.ts'
import type { PermissionGroup, PermissionLine } from '../permission-list.ts'
import type { TrailEntry } from './activity.ts'
import type { AppCard, ListFilter, ListLinks, Moment, ShownEnd, SortLink } from './frame.ts'
import type { Bounds } from './steps.ts'

export type RequestItem = ApprovalFields & {
  /** The people ask to connect an installed app. */
  isInstalled: boolean
  /** Why the app cannot be installed; null: it can. */
  cut: Phrase | null
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

/** Permissions that the app asks for in addition to the approved ones. */
export type WideningItem = { permissionGroups: PermissionGroup[]; offered: string[] }

/** An installed app that asks for more. */
export type FreshItem = { clientId: string; app: AppCard; href: string; fresh: WideningItem }

/** A line of the table of installed apps. */
export type InstalledRow = {
  app: AppCard
  href: string
  isSuspended: boolean
  /** It lacks something that the app requires. */
  isIncomplete: boolean
  /** Members have installed it for themselves. */
  isSelf: boolean
  isDisabled: boolean
  /** The first permissions, sensitive ones first, and how many more there are. */
  may: Pick<PermissionLine, 'sentence' | 'mark'>[]
  mayMore: number
  where: { all: boolean; names: string[]; more: number } | null
  people: string
  lastUsed: Moment | null
}

/** A person who has allowed the app. */
export type PersonRow = {
  name: string
  email: string
  since: Moment
  lastUsed: Moment | null
  /** When the access ends by itself; null: it does not. */
  end: ShownEnd | null
  /** The page that changes this; null: there is no consent whose end could change. */
  endsUrl: string | null
  endUrl: string
}

export type OrganizationAppPage = OrganizationPage & {
  backUrl: string
  clientId: string
  app: AppCard
  isSuspended: boolean
  /** It lacks something that the app requires. */
  isIncomplete: boolean
  /** Members have installed it for themselves. */
  isSelf: boolean
  isDisabled: boolean
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
  /** How many of the members can use it. */
  forWhom: string
  membersUrl: string
  audienceUrl: string
  installedBy: string | null
  since: Moment
  lastUsed: Moment | null
  /** When the install ends by itself; null: it does not. */
  end: ShownEnd | null
  changeUrl: string
  /** The page on which admins choose when it ends. */
  endsUrl: string
  fresh: WideningItem | null
  declined: WideningItem | null
  peopleHeading: string
  people: PersonRow[]
  filter: ListFilter | null
  peopleSort: SortLink
  list: ListLinks
  /** null: the app is public, or its maker signs with keys. */
  secrets: { created: Moment; age: string; isOld: boolean; until: Moment | null }[] | null
  activity: TrailEntry[]
  activityUrl: string
  suspendUrl: string | null
  uninstallUrl: string
}

export type MemberRow = {
  href: string
  name: string
  email: string
  isSelf: boolean
  isDisabled: boolean
  role: string
  isAdmin: boolean
  workspaces: string[]
  more: number
  /** Some of the apps that act for the member, and how many more there are. */
  apps: string[]
  moreApps: number
  groups: string[]
  lastSignIn: Moment | null
}

/** An app that acts for a member. */
export type AppOfMemberRow = Omit<PersonRow, 'name' | 'email'> & { name: string; href: string }

export type OrganizationAppPages = {
  'organization-request': OrganizationPage & { backUrl: string; request: RequestItem }
  'organization-apps': OrganizationPage & {
    /** The field of the first fault, for the summary on top. */
    field: string
    error: string | null
    /** What waits for a decision: the oldest requests, then apps that ask for more. */
    requests: RequestItem[]
    fresh: FreshItem[]
    /** How many wait in all; 0 on later pages of the list. */
    waiting: number
    /** The page that decides about several requests. */
    severalUrl: string | null
    filter: ListFilter | null
    sorts: Record<'name' | 'lastUsed', SortLink>
    installed: InstalledRow[]
    list: ListLinks
    directoryUrl: string
    suspendAllUrl: string | null
    /** Set when apps are suspended together. */
    together: { words: string; href: string } | null
  }
  'organization-app-change': OrganizationPage &
    ApprovalFields & {
      /** What the app may do with what is ticked. */
      summary: Phrase[]
      bounds: Bounds
      sentenceUrl: string
      /** Who uses the app. */
      affected: string
      version: string
      saved: EditConflict | null
      clientId: string
      app: AppCard
      backUrl: string
    }
  'organization-members': OrganizationPage & {
    filter: ListFilter
    sorts: Record<'name' | 'role', SortLink>
    members: MemberRow[]
    list: ListLinks
  }
  'organization-member': OrganizationPage & {
    backUrl: string
    activityUrl: string
    member: MemberRow
    /** The page that asks before every access ends; null: no app has access. */
    endAllUrl: string | null
    apps: AppOfMemberRow[]
    list: ListLinks
  }
  'organization-app': OrganizationAppPage
}
