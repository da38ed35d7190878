import type { OpenidScope } from '../clients/openid.ts'
import type { KnownResource } from '../clients/targets.ts'
import type { InstallPause } from '../organizations/install.ts'
import type { KnownEnds } from './expected-end.ts'
import type {
  AppInOrganization,
  InstalledPlace,
  InstallSummary,
  RememberedConsent,
} from './places.ts'
import type { AppAnswer } from './requests.ts'

/** A user's membership in an organization, and the state of the app there. */
export interface Membership extends AppInOrganization, KnownEnds {
  organizationName: string
  role: 'admin' | 'member'
  install: InstallSummary | null
  /** Time of this user's open request to the admins. */
  requestedAt: Date | null
  /** Time when this user's latest request was refused. */
  refusedAt: Date | null
  /** What the admin who refused it has written. */
  refusalReason: string | null
  /** Time when this user withdrew the latest request. */
  withdrawnAt: Date | null
  /** Time when this user's latest request ended, because no admin had answered it. */
  expiredAt: Date | null
}

export interface WorkspaceSummary {
  id: string
  name: string
  isMember: boolean
}

interface InstallStep<Kind, Of> {
  kind: Kind
  membership: Of
  offered: string[]
  /** Identity scopes that users will be asked to share. */
  openidScopes: OpenidScope[]
  workspaces: WorkspaceSummary[]
  canSwitch: boolean
}

/** The next step before the app gets its response. */
export type Step<Of extends AppInOrganization = Membership> =
  | { kind: 'sign_in' }
  | { kind: 'choose_organization'; memberships: Of[]; hintRefused: boolean }
  | InstallStep<'install', Of>
  /** A member may install the app for themselves. */
  | InstallStep<'self_install', Of>
  | { kind: 'ask_admin'; membership: Of; admins: string[]; offered: string[]; canSwitch: boolean }
  /** The app requires what the ceiling of its host does not allow. */
  | { kind: 'cut'; membership: Of; permissions: string[]; canSwitch: boolean }

  /** The app gets nothing there at present. */
  | { kind: 'paused'; reason: InstallPause; membership: Of; canSwitch: boolean }
  /** The device requests workspaces that this user cannot give; another user may. */
  | { kind: 'out_of_reach'; membership: Of; canSwitch: boolean }
  | {
      kind: 'consent'
      membership: InstalledPlace<Of>
      offered: string[]
      /** Permissions that the request names, and that no admin has approved. */
      withheld: string[]
      /** The data APIs that the app asks for; null: the default audience. */
      resources: KnownResource[] | null
      /** Identity scopes to share. */
      openidScopes: OpenidScope[]
      before: RememberedConsent | null
      /** The approved workspaces that the user is a member of. */
      workspaces: WorkspaceSummary[]
      /** The reach of a request without `workspace_ids`. */
      reach: string[]
      /** Number of workspaces in the organization. */
      workspaceTotal: number
      /** The user has more than one organization to choose from. */
      canSwitch: boolean
    }
  /** A link to install the app, which is installed there already: an admin can confirm the install. */
  | {
      kind: 'installed'
      membership: InstalledPlace<Of>
      /** The approved workspaces; null: all, or the legacy interface. */
      approvedWorkspaces: WorkspaceSummary[] | null
      canSwitch: boolean
    }
  | { kind: 'answered'; answer: AppAnswer }

/** The queries that find the next step. */
export interface StepStore {
  memberships(userId: string, clientId: string): Promise<Membership[]>
  workspaces(organizationId: string, userId: string): Promise<WorkspaceSummary[]>
  /** Some names: one more than a page shows. */
  adminNames(organizationId: string): Promise<string[]>
  /** What an admitted app requires, and the ceiling of its host does not allow. */
  cutPermissions(clientId: string): Promise<string[]>
}
