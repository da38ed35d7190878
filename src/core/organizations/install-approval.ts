// An approval of an app: what it may contain, and what it changes.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Change, Patch } from '../audit/changes.ts'
import type { AppSettings } from '../clients/app-settings.ts'
import { excessPermissionFaults, workspaceLimitFaults } from '../clients/permission-rules.ts'
import { lockedPermissions } from '../clients/required-permissions.ts'
import { newId } from '../crypto/identifiers.ts'
import { type AccessEnd, accessEndFaults, type UsualEnd, usualEnd } from '../language/access-end.ts'
import { type Fault, faultAt, faultIf } from '../language/faults.ts'
import { inOrder } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { NotFound, refuse } from '../language/service-errors.ts'
import {
  type Audience,
  type AudienceLimit,
  audienceFaults,
  noAudience,
  orderedAudience,
} from './audience.ts'
import { type InstallKey, type InstallValues, installEnded, type StoredInstall } from './install.ts'
import { approvalEvents } from './install-events.ts'
import type { PolicyStanding } from './organization-policies.ts'

/** The content of an admin's approval. */
export interface InstallApproval extends Patch<AccessEnd> {
  permissions: readonly string[]
  /** null: all workspaces, present and future. Only a legacy app may omit it: that interface has no workspaces. */
  workspaceIds?: WorkspaceLimit | undefined
  /** null: everyone; absent: unchanged, and everyone for a new install. */
  audience?: AudienceLimit | undefined
  /** The permissions among which the admin chooses; absent: all of the app's. */
  offered?: readonly string[] | undefined
  /** Permissions that the admin has seen and not approved, so that they are not offered again as new. */
  declined?: readonly string[] | undefined
}

/** The data that `decide` gets, read under the organization's lock. */
export interface ApprovalScene {
  app: Pick<AppSettings, 'interface' | 'permissions' | 'optionalPermissions'> & {
    /** What it requires, and the ceiling of its host does not allow. */
    cut: readonly string[]
  }
  /** The given workspaces that belong to the organization. */
  workspaceIds: readonly string[]
  /** The ids of the given audience that belong to the organization. */
  audience: Audience
  live: StoredInstall | null
  /** The end that the organization gives to new installs. */
  usualEnd: UsualEnd
  /** Users with an open request for the app. */
  requestedBy: readonly string[]
  /** Of the person who installs it for themselves; null: there is none, or they are no member. */
  standing: PolicyStanding | null
}

/** A requested change, applied once the stored install is read. */
export type Wanted = Patch<InstallApproval & { suspended: boolean }>

/** `install`: only if there is no live install; `replace`: with or without one; `change`: only a live one. */
type Mode = 'install' | 'replace' | 'change'

/** An approval before its scene is read. */
interface PlannedApproval extends InstallKey {
  workspaceIds?: WorkspaceLimit | undefined
  audience?: AudienceLimit | undefined
  /** May throw. */
  wantedIn(scene: ApprovalScene): Wanted
  mode: Mode
  cause: Cause
}

/** An approval of one app in one organization. */
export interface WantedApproval extends InstallKey {
  /** Workspaces whose owner `decide` needs to know. */
  requested: readonly string[]
  /** Parts of an audience whose owner `decide` needs to know. */
  audience: Audience
  /** The event when the live install has expired, and ends before the scene is read. */
  expired: AuditEvent
  /** Who installs it for themselves; absent: an admin decides. */
  person?: string
  /** null: nothing is written. */
  decide(scene: ApprovalScene): DecidedApproval | null
}

export interface DecidedApproval extends Change<InstallValues> {
  /** Users whose open requests it answers. */
  answered: readonly string[]
}

const workspaceFaults = (
  scene: ApprovalScene,
  requested: WorkspaceLimit | undefined,
  replaces: boolean,
): Fault[] => {
  // A forgotten limit must not approve all workspaces.
  if (requested === undefined && replaces && scene.app.interface === 'current')
    return [faultAt('/workspace_ids', 'required', 'is required: a list, or null for all')]
  return workspaceLimitFaults(scene.app.interface, requested ?? null, scene.workspaceIds)
}

/** The live install, if an admin has approved it. */
const approvedBefore = (live: StoredInstall | null) => (live?.self ? null : live)

/** An approval has what the app requires, except what the live install lacks already. */
const requirementFaults = ({ app, live }: ApprovalScene, wanted: Wanted): Fault[] => {
  const { permissions, offered = app.permissions } = wanted
  if (permissions === undefined) return []
  const locked = lockedPermissions(app, offered, approvedBefore(live)?.permissions)
  // A page has judged what its request asks for.
  const cut = wanted.offered || approvedBefore(live) ? [] : app.cut
  const taken = [...locked.filter((one) => !permissions.includes(one)), ...cut]
  const detail = `must have what the app requires: ${taken.join(', ')}`
  return faultIf(taken.length > 0, '/permissions', 'permission_required', detail)
}

const byUser = ({ actor }: Cause) => (actor.kind === 'user' ? actor.id : null)

/** The audience that an approval gives. One of a self-install is for everyone, unless the admin says for whom. */
const audienceAfter = (wanted: Wanted, approved: StoredInstall | null): AudienceLimit =>
  wanted.audience === undefined
    ? (approved?.audience ?? null)
    : wanted.audience && orderedAudience(wanted.audience)

/** Does the change decide what the install is? Its end and a suspension do not. */
const isDecision = ({ permissions, workspaceIds, audience }: Wanted) =>
  [permissions, workspaceIds, audience].some((one) => one !== undefined)

/** The values that an approval gives. @throws Invalid */
const valuesOf = (
  scene: ApprovalScene,
  wanted: Wanted,
  requested: readonly string[],
  mode: Mode,
  cause: Cause,
  now: number,
): InstallValues => {
  const { app, live } = scene
  refuse([
    ...excessPermissionFaults(app.permissions, wanted.permissions ?? []),
    ...requirementFaults(scene, wanted),
    ...workspaceFaults(scene, wanted.workspaceIds, mode !== 'change'),
    ...audienceFaults(wanted.audience, scene.audience, live?.audience ?? null),
    ...accessEndFaults(wanted, now),
  ])
  const end: AccessEnd = live ?? usualEnd(scene.usualEnd, now)
  const permissions = wanted.permissions ?? live?.permissions ?? []
  const declined = [...(live?.declinedPermissions ?? []), ...(wanted.declined ?? [])]
  return {
    id: live?.id ?? newId('install'),
    permissions: inOrder(app.interface, permissions),
    declinedPermissions: inOrder(app.interface, declined).filter(
      (one) => !permissions.includes(one),
    ),
    workspaceIds:
      wanted.workspaceIds === undefined
        ? (live?.workspaceIds ?? null)
        : wanted.workspaceIds && [...requested],
    audience: audienceAfter(wanted, mode === 'change' ? live : approvedBefore(live)),
    self: mode === 'change' && live?.self === true && !isDecision(wanted),
    installedBy: (mode === 'change' ? live : approvedBefore(live))?.installedBy ?? byUser(cause),
    suspended: wanted.suspended ?? live?.suspended ?? false,
    expiresAt: wanted.expiresAt === undefined ? end.expiresAt : wanted.expiresAt,
    idleSeconds: wanted.idleSeconds === undefined ? end.idleSeconds : wanted.idleSeconds,
  }
}

/** @param now milliseconds since 1970 */
export const createApprovalOf =
  (now: () => number) =>
  ({ organizationId, clientId, mode, cause, ...planned }: PlannedApproval): WantedApproval => {
    const requested = [...new Set(planned.workspaceIds ?? [])]
    const install = { organizationId, clientId }
    const decide = (scene: ApprovalScene): DecidedApproval => {
      const { live } = scene
      if (!live && mode === 'change') throw new NotFound('install')
      const approved = mode === 'change' ? live : approvedBefore(live)
      if (approved && mode === 'install') return { values: approved, events: [], answered: [] }
      const values = valuesOf(scene, planned.wantedIn(scene), requested, mode, cause, now())
      // A request for an installed app is one for the member alone.
      const answered = approved ? [] : scene.requestedBy
      const events = [
        ...approvalEvents(approved, values, install, cause),
        ...answered.map((userId) =>
          auditEvent(cause, 'install_request.approved', { ...install, userId }),
        ),
      ]
      return { values, events, answered }
    }
    const expired = installEnded(install, 'expired')
    return { ...install, requested, audience: planned.audience ?? noAudience, expired, decide }
  }
