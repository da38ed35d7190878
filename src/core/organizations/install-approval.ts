// An approval of an app: what it may contain, what it changes, and the audit events of that.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch } from '../audit/changes.ts'
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
  nobody,
  orderedAudience,
} from './audience.ts'
import { type Install, type InstallKey, installEnded, type StoredInstall } from './install.ts'

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
  app: Pick<AppSettings, 'interface' | 'permissions' | 'optionalPermissions'>
  /** The given workspaces that belong to the organization. */
  workspaceIds: readonly string[]
  /** The ids of the given audience that belong to the organization. */
  audience: Audience
  live: StoredInstall | null
  /** The end that the organization gives to new installs. */
  usualEnd: UsualEnd
  /** Users with an open request for the app. */
  requestedBy: readonly string[]
}

export type InstallValues = Pick<
  Install,
  | 'id'
  | 'permissions'
  | 'declinedPermissions'
  | 'workspaceIds'
  | 'audience'
  | 'installedBy'
  | 'suspended'
  | keyof AccessEnd
>

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
  /** null: nothing is written. */
  decide(scene: ApprovalScene): Change<InstallValues> | null
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

/** An approval has what the app requires, except what the live install lacks already. */
const requirementFaults = ({ app, live }: ApprovalScene, wanted: Wanted): Fault[] => {
  const { permissions, offered = app.permissions } = wanted
  if (permissions === undefined) return []
  const locked = lockedPermissions(app, offered, live?.permissions)
  const taken = locked.filter((one) => !permissions.includes(one))
  const detail = `must have what the app requires: ${taken.join(', ')}`
  return faultIf(taken.length > 0, '/permissions', 'permission_required', detail)
}

type ApprovedFields = Pick<
  InstallValues,
  'permissions' | 'workspaceIds' | 'audience' | keyof AccessEnd
>

const approvedFields = ({
  permissions,
  workspaceIds,
  audience,
  expiresAt,
  idleSeconds,
}: ApprovedFields) => ({
  permissions,
  workspaceIds,
  audience: audience && orderedAudience(audience),
  expiresAt,
  idleSeconds,
})

/** Only if it is limited: most installs are for everyone. */
const audienceDetail = ({ audience }: Pick<Install, 'audience'>) => audience && { audience }

/** Only the ends that there are: most installs have none. */
const endDetail = ({ expiresAt, idleSeconds }: AccessEnd) => ({
  ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  ...(idleSeconds !== null && { idle_seconds: idleSeconds }),
})

/** What people may have lost by a change; null: nothing. */
const narrowingOf = (live: ApprovedFields, after: ApprovedFields) => {
  const permissions = live.permissions.filter((one) => !after.permissions.includes(one))
  const [had, kept] = [live.workspaceIds, after.workspaceIds]
  const workspaces = kept !== null && (had === null || had.some((id) => !kept.includes(id)))
  const audience =
    changedFields({ a: live.audience }, { a: after.audience }).length > 0 && after.audience !== null
  return permissions.length > 0 || workspaces || audience
    ? { permissions, workspaces, audience }
    : null
}

const eventsOf = (
  scene: ApprovalScene,
  after: InstallValues,
  subject: InstallKey,
  cause: Cause,
): AuditEvent[] => {
  const detail = {
    install_id: after.id,
    permissions: after.permissions,
    workspace_ids: after.workspaceIds,
    ...audienceDetail(after),
    ...endDetail(after),
  }
  const { live } = scene
  // A request for an installed app is one for the member alone.
  const answered = (live ? [] : scene.requestedBy).map((userId) =>
    auditEvent(cause, 'install_request.approved', { ...subject, userId }),
  )
  if (!live) return [auditEvent(cause, 'install.approved', { ...subject, detail }), ...answered]
  const changed = changedFields(approvedFields(live), approvedFields(after))
  const previous = {
    permissions: live.permissions,
    workspace_ids: live.workspaceIds,
    ...audienceDetail(live),
    ...endDetail(live),
  }
  const events: AuditEvent[] = []
  if (changed.length > 0) {
    const narrowed = narrowingOf(live, after)
    const about = { ...detail, changed, previous, ...(narrowed && { narrowed }) }
    events.push(auditEvent(cause, 'install.changed', { ...subject, detail: about }))
  }
  const declined = after.declinedPermissions.filter(
    (one) => !live.declinedPermissions.includes(one) && !live.permissions.includes(one),
  )
  if (declined.length > 0) {
    const about = { install_id: live.id, permissions: declined }
    events.push(auditEvent(cause, 'install.permissions_declined', { ...subject, detail: about }))
  }
  if (live.suspended !== after.suspended) {
    const type = after.suspended ? 'install.suspended' : 'install.resumed'
    events.push(auditEvent(cause, type, { ...subject, detail: { install_id: live.id } }))
  }
  return events
}

const byUser = ({ actor }: Cause) => (actor.kind === 'user' ? actor.id : null)

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
    audience:
      wanted.audience === undefined
        ? (live?.audience ?? null)
        : wanted.audience && orderedAudience(wanted.audience),
    installedBy: live ? live.installedBy : byUser(cause),
    suspended: wanted.suspended ?? live?.suspended ?? false,
    expiresAt: wanted.expiresAt === undefined ? end.expiresAt : wanted.expiresAt,
    idleSeconds: wanted.idleSeconds === undefined ? end.idleSeconds : wanted.idleSeconds,
  }
}

/** @param now milliseconds since 1970 */
export const createApprovalOf =
  (now: () => number) =>
  ({
    organizationId,
    clientId,
    workspaceIds,
    audience,
    wantedIn,
    mode,
    cause,
  }: PlannedApproval): WantedApproval => {
    const requested = [...new Set(workspaceIds ?? [])]
    const decide = (scene: ApprovalScene): Change<InstallValues> => {
      const { live } = scene
      if (!live && mode === 'change') throw new NotFound('install')
      if (live && mode === 'install') return { values: live, events: [] }
      const values = valuesOf(scene, wantedIn(scene), requested, mode, cause, now())
      return { values, events: eventsOf(scene, values, { organizationId, clientId }, cause) }
    }
    const expired = installEnded({ organizationId, clientId }, 'expired')
    return { organizationId, clientId, requested, audience: audience ?? nobody, expired, decide }
  }
