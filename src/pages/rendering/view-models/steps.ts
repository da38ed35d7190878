// Data of the steps between an app's request and its answer.
import type { Phrase } from '../../../words/phrase.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type { AppCard, Moment, OrganizationName, PageFrame, SignedInUser } from './frame.ts'

/** A step between "the app asked" and "back to the app". Forms post to `action`. */
type InteractionPage = PageFrame & {
  user: SignedInUser
  app: AppCard
  action: string
  /** The address of this interaction, for the return after signing in with another account. */
  returnTo: string
  /** The code that the device shows; null when this browser made the request. */
  deviceCode: string | null
  /** When and from where the device asked; null when not known. */
  deviceStart: Phrase | null
  /** The next place for the user. */
  returns: Phrase
  /** Label of the button that ends the request when nothing can be allowed. */
  back: Phrase
}

/** A step within one organization. `switchUrl` leads to the choice when there are others. */
type OrganizationStepPage = InteractionPage & {
  organization: OrganizationName
  switchUrl: string | null
}

export type WorkspaceOption = { id: string; name: string; ticked: boolean }

export type WorkspaceChoice = {
  /** The name of the boxes; absent: `workspace_ids`. */
  name?: string
  /** The choice `*` (including future ones); `null` where it is not offered (consent). */
  all: { ticked: boolean } | null
  options: WorkspaceOption[]
  /** The number of workspaces in the organization, for "2 of 5"; `null` omits the line. */
  total: number | null
  /** The box for workspaces that the user joins later; `null` where it is not offered (install). */
  later: { ticked: boolean } | null
  /** A long list can be folded and searched; `null` for a short one. The script uses `some`. */
  fold: { summary: string; some: string; find: string } | null
}

/** For whom, how long, and how to stop it. */
export type Bounds = {
  /** null: the heading says it. */
  forWhom: Phrase | null
  /** Until the admin chooses others; null: not offered. */
  forMe: string | null
  ends: string
  undo: string
}

type InstallPage = OrganizationStepPage & {
  /** What the page offers, in one or two sentences. */
  summary: Phrase[]
  /** The summary says all that the page offers; absent: it does. */
  isWhole?: boolean
  bounds: Bounds
  /** Where the script asks for the sentence of what is ticked; null: nothing can be ticked. */
  sentenceUrl: string | null
  permissionGroups: PermissionGroup[]
  /** True when at least one line can be unticked. */
  mayUntick: boolean
  /** What to do instead of unticking what the app requires; `null`: it requires nothing. */
  lockedHint: string | null
  /** `null` on the legacy interface, which has no workspaces. */
  workspaces: WorkspaceChoice | null
  /** The data that the app will request from each user; `null` when none. */
  identity: string | null
  error: string | null
}

export type StepPages = {
  'choose-organization': InteractionPage & {
    organizations: (OrganizationName & { role: 'admin' | 'member'; installed: boolean })[]
    selectedId: string | null
    /** The app named an organization that this user cannot use. */
    preselectedUnavailable: boolean
    error: string | null
  }
  /** A link to install an app that is installed there. */
  installed: OrganizationStepPage & {
    /** True for an admin, who can confirm the install. */
    mayConfirm: boolean
    /** `all`: every workspace, including future ones. `null`: legacy, no workspaces. */
    workspaces: 'all' | string[] | null
    since: Moment
    permissionGroups: PermissionGroup[]
  }
  consent: Omit<InstallPage, 'identity'> & {
    approval: { by: string; on: Moment } | null
    /** The data APIs that the app asks for; null: the default one. */
    apis: Phrase | null
    /** What the app asks for and no admin has approved; null: nothing. */
    withheld: Phrase | null
  }
  'ask-admin': OrganizationStepPage & {
    heading: Phrase
    /** Why an admin decides, and who they are. */
    why: Phrase[]
    /** What the app asks for, in one or two sentences. */
    summary: Phrase[]
    bounds: Bounds
    /** When the latest request ended without an answer. */
    expiredAt: Moment | null
    /** Time of the latest refusal. */
    refusedAt: Moment | null
    refusalReason: string | null
    /** Time when this user withdrew the latest request. */
    withdrawnAt: Moment | null
  }
  /** This user cannot continue in this organization. */
  blocked: OrganizationStepPage & {
    heading: Phrase
    message: Phrase
    move: Phrase
    /** Where an admin can change it; null: the user is none. */
    adminUrl: string | null
  }
  'request-sent': OrganizationStepPage & {
    clientId: string
    /** The request is to connect an installed app. */
    forPerson: boolean
    /** Who learns of the request, and how. */
    seen: Phrase
    /** A link for an admin, which opens the request. */
    adminUrl: string
    requested: Moment
  }
  /** The page that takes the code of a device. */
  device: PageFrame & {
    user: SignedInUser
    action: string
    returnTo: string
    organization: null
    /** As typed or given in the link. */
    userCode: string
    error: string | null
  }
  done: PageFrame & { heading: string; message: string }
  install: Omit<InstallPage, 'permissionGroups'> & {
    /** `self_install`: for the user alone. */
    step: 'install' | 'self_install'
    /** null: the next page shows them. */
    permissionGroups: PermissionGroup[] | null
    heading: Phrase
    lead: string
    approve: string
    undo: string
    undoUrl: string
  }
}
