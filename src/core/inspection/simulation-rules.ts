import { isWithinConsent } from '../authorization/offered-workspaces.ts'
import type { RememberedConsent } from '../authorization/places.ts'
import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import { type Approved, approvedOf, type Narrowing, narrowedTo } from '../grants/approval.ts'
import { OAuthError } from '../language/errors.ts'
import { covers, entriesOf, type Interface } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { GrantReason, ScopeReason } from '../language/sub-reasons.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { InstallPause } from '../organizations/install.ts'

/** A user's consent: the offered permissions and workspaces, and the approved ones. */
type GivenConsent = Omit<RememberedConsent, 'installId' | 'resources'>

/** The user for whom the app would act. */
export interface Person {
  isDisabled: boolean
  isMember: boolean
  /** Consent to the live install. */
  consent: GivenConsent | null
}

/** All data that decides the content of a token. */
export interface SimulationInput {
  app: App
  /** Seconds for which its access tokens are valid. */
  lifetime: number
  install: {
    permissions: string[]
    workspaceIds: WorkspaceLimit
    paused: InstallPause | null
    keptOut: KeptOut | null
  } | null
  /** null: the app acts for itself */
  person: Person | null
  /** All workspaces of the organization; `isMember` refers to the user. */
  workspaces: { id: string; name: string; isMember: boolean }[]
}

/** A simulated request names no resource. */
type SimulatedScopeReason = Exclude<ScopeReason, 'permission_of_other_resource' | 'token_too_long'>

/** Why no token would be issued. */
export type SimulationRefusal =
  | Extract<
      GrantReason,
      'app_disabled' | 'not_installed' | 'user_disabled' | 'user_left' | 'public_client'
    >
  | KeptOut
  | InstallPause
  | SimulatedScopeReason
  | 'legacy_interface'
  | 'consent_missing'

export type PermissionCause =
  | 'granted'
  | 'not_asked_by_app'
  | 'not_installed'
  | 'not_approved_by_admin'
  | 'consent_missing'
  | 'withheld_by_user'
  | 'left_out_by_request'

export type WorkspaceCause = Exclude<PermissionCause, 'not_asked_by_app'> | 'not_a_member'

export interface Simulation {
  interface: Interface
  /** Seconds for which the access token would be valid. */
  lifetime: number
  /** In the order of the checks; empty: a token would be issued. */
  obstacles: SimulationRefusal[]
  /** The content of the token; null: none would be issued. `workspaceIds` null: the legacy interface has none. */
  token: {
    permissions: string[]
    workspaceIds: string[] | null
    openidScopes: OpenidScope[]
  } | null
  /** Every permission of the interface. */
  permissions: { permission: string; because: PermissionCause }[]
  /** Every workspace of the organization; null: the legacy interface has none. */
  workspaces: { id: string; name: string; because: WorkspaceCause }[] | null
  /** The app may request more than the user was offered, so the next authorization shows the consent page. */
  wouldAskAgain: boolean
}

const obstaclesOf = ({ app, install, person }: SimulationInput): SimulationRefusal[] => [
  ...(app.disabled ? (['app_disabled'] as const) : []),
  ...(!person && app.interface === 'legacy' ? (['legacy_interface'] as const) : []),
  ...(!person && app.clientType === 'public' ? (['public_client'] as const) : []),
  ...(person?.isDisabled ? (['user_disabled'] as const) : []),
  ...(person && !person.isMember ? (['user_left'] as const) : []),
  ...(install ? [] : (['not_installed'] as const)),
  ...(install?.keptOut ? [install.keptOut] : []),
  ...(install?.paused ? [install.paused] : []),
  ...(install && person && !person.consent ? (['consent_missing'] as const) : []),
]

const approvalOf = ({ install, person, workspaces }: SimulationInput): Approved => ({
  installPermissions: install?.permissions ?? [],
  installWorkspaceIds: install ? install.workspaceIds : [],
  presentWorkspaceIds: workspaces
    .filter(({ isMember }) => person === null || isMember)
    .map(({ id }) => id)
    .sort(),
})

/** The token, or why the request cannot be granted. */
const tokenOf = (situation: SimulationInput, requested: Narrowing) => {
  const { app, person } = situation
  try {
    const narrowed = narrowedTo(app, approvalOf(situation), person?.consent ?? null, requested)
    const { permissions, workspaceIds, openidScopes } = narrowed
    return { permissions, workspaceIds, openidScopes }
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_scope')
      return error.reason as SimulatedScopeReason
    throw error
  }
}

const whyPermission = (
  { app, install, person }: SimulationInput,
  permission: string,
  given: readonly string[] | null,
): PermissionCause => {
  if (!app.permissions.includes(permission)) return 'not_asked_by_app'
  if (!install) return 'not_installed'
  if (!install.permissions.includes(permission)) return 'not_approved_by_admin'
  if (person && !person.consent?.offered.includes(permission)) return 'consent_missing'
  if (person && !person.consent?.permissions.includes(permission)) return 'withheld_by_user'
  return given === null || given.includes(permission) ? 'granted' : 'left_out_by_request'
}

/** Is a workspace within the limit? */
const within = (limit: WorkspaceLimit | undefined) => (limit ? entriesOf(limit) : () => true)

/** Was the user offered all that the app may request by default? */
const wasAskedForAll = (consent: GivenConsent, permissions: string[]) =>
  covers(consent.offered, permissions) && isWithinConsent(consent, null)

/** Why the token would reach a workspace, or not. @param given the workspaces of the token; null: there is none */
const whyWorkspace = ({ install, person }: SimulationInput, given: WorkspaceLimit) => {
  const isApproved = within(install?.workspaceIds)
  const isAllowed = within(person?.consent?.workspaceIds)
  const isOffered = within(person?.consent?.offeredWorkspaceIds)
  const isGiven = within(given)
  return ({ id, isMember }: SimulationInput['workspaces'][number]): WorkspaceCause => {
    if (!install) return 'not_installed'
    if (!isApproved(id)) return 'not_approved_by_admin'
    if (person && !isMember) return 'not_a_member'
    if (person && !person.consent) return 'consent_missing'
    if (person && !isAllowed(id)) return isOffered(id) ? 'withheld_by_user' : 'consent_missing'
    return isGiven(id) ? 'granted' : 'left_out_by_request'
  }
}

/**
 * Computes what an app would get now, and why, by the rules of the token endpoints. It issues nothing.
 * @param names all permissions of the app's interface
 */
export const simulate = (
  situation: SimulationInput,
  requested: Narrowing,
  names: readonly string[],
): Simulation => {
  const { app, install, person, workspaces } = situation
  const before = obstaclesOf(situation)
  const outcome = before.length > 0 ? null : tokenOf(situation, requested)
  const token = typeof outcome === 'string' ? null : outcome
  const offered = approvedOf(app, approvalOf(situation), null).permissions
  const why = whyWorkspace(situation, token?.workspaceIds ?? null)
  return {
    interface: app.interface,
    lifetime: situation.lifetime,
    obstacles: typeof outcome === 'string' ? [outcome] : before,
    token,
    permissions: names.map((permission) => ({
      permission,
      because: whyPermission(situation, permission, token?.permissions ?? null),
    })),
    workspaces:
      app.interface === 'legacy'
        ? null
        : workspaces.map((one) => ({ id: one.id, name: one.name, because: why(one) })),
    wouldAskAgain: Boolean(install && person?.consent && !wasAskedForAll(person.consent, offered)),
  }
}
