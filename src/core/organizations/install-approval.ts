// An approval of an app: what it may contain, what it changes, and the audit events of that.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch } from '../audit/changes.ts'
import { excessPermissionFaults, workspaceLimitFaults } from '../clients/permission-rules.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Fault } from '../language/faults.ts'
import { type Interface, inOrder } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { NotFound, refuse } from '../language/service-errors.ts'
import type { Install, StoredInstall } from './install.ts'

/** The content of an admin's approval. */
export interface InstallApproval {
  permissions: readonly string[]
  /** null: all workspaces, present and future. Only a legacy app may omit it: that interface has no workspaces. */
  workspaceIds?: WorkspaceLimit | undefined
  /** Permissions that the admin has seen and not approved, so that they are not offered again as new. */
  declined?: readonly string[] | undefined
}

/** The data that `decide` gets, read under the organization's lock. */
export interface ApprovalScene {
  app: { interface: Interface; permissions: readonly string[] }
  /** The given workspaces that belong to the organization. */
  workspaceIds: readonly string[]
  live: StoredInstall | null
  /** Users with an open request for the app. */
  requestedBy: readonly string[]
}

export type InstallValues = Pick<
  Install,
  'id' | 'permissions' | 'declinedPermissions' | 'workspaceIds' | 'installedBy' | 'suspended'
>

/** A requested change, applied once the stored install is read. */
export type Wanted = Patch<InstallApproval & { suspended: boolean }>

/** `install`: only if there is no live install; `replace`: with or without one; `change`: only a live one. */
type Mode = 'install' | 'replace' | 'change'

/** An approval of one app in one organization. */
export interface WantedApproval {
  organizationId: string
  clientId: string
  /** Workspaces whose owner `decide` needs to know. */
  asked: readonly string[]
  /** null: nothing is written. */
  decide(scene: ApprovalScene): Change<InstallValues> | null
}

const workspaceFaults = (
  scene: ApprovalScene,
  asked: WorkspaceLimit | undefined,
  replaces: boolean,
): Fault[] => {
  // A forgotten limit must not approve all workspaces.
  if (asked === undefined && replaces && scene.app.interface === 'current')
    return [{ pointer: '/workspace_ids', detail: 'is required: a list, or null for all' }]
  return workspaceLimitFaults(scene.app.interface, asked ?? null, scene.workspaceIds)
}

const eventsOf = (
  scene: ApprovalScene,
  after: InstallValues,
  subject: { organizationId: string; clientId: string },
  cause: Cause,
): AuditEvent[] => {
  const detail = {
    install_id: after.id,
    permissions: after.permissions,
    workspace_ids: after.workspaceIds,
  }
  const answered = scene.requestedBy.map((userId) =>
    auditEvent(cause, 'install_request.approved', { ...subject, userId }),
  )
  const { live } = scene
  if (!live) return [auditEvent(cause, 'install.approved', { ...subject, detail }), ...answered]
  const changed = changedFields(
    { permissions: live.permissions, workspaceIds: live.workspaceIds },
    { permissions: after.permissions, workspaceIds: after.workspaceIds },
  )
  const previous = { permissions: live.permissions, workspace_ids: live.workspaceIds }
  const events: AuditEvent[] = []
  if (changed.length > 0) {
    const about = { ...detail, changed, previous }
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
  return [...events, ...answered]
}

const byUser = ({ actor }: Cause) => (actor.kind === 'user' ? actor.id : null)

/**
 * @param named the workspaces of the approval
 * @param wantedIn may throw
 */
export const approvalOf = (
  organizationId: string,
  clientId: string,
  named: WorkspaceLimit | undefined,
  wantedIn: (scene: ApprovalScene) => Wanted,
  mode: Mode,
  cause: Cause,
) => {
  const asked = [...new Set(named ?? [])]
  const decide = (scene: ApprovalScene): Change<InstallValues> => {
    const { app, live } = scene
    if (!live && mode === 'change') throw new NotFound('install')
    if (live && mode === 'install') return { values: live, events: [] }
    const wanted = wantedIn(scene)
    refuse([
      ...excessPermissionFaults(app.permissions, wanted.permissions ?? []),
      ...workspaceFaults(scene, wanted.workspaceIds, mode !== 'change'),
    ])
    const permissions = wanted.permissions ?? live?.permissions ?? []
    const declined = [...(live?.declinedPermissions ?? []), ...(wanted.declined ?? [])]
    const values = {
      id: live?.id ?? newId('install'),
      permissions: inOrder(app.interface, permissions),
      declinedPermissions: inOrder(app.interface, declined).filter(
        (one) => !permissions.includes(one),
      ),
      workspaceIds:
        wanted.workspaceIds === undefined
          ? (live?.workspaceIds ?? null)
          : wanted.workspaceIds && asked,
      installedBy: live ? live.installedBy : byUser(cause),
      suspended: wanted.suspended ?? live?.suspended ?? false,
    }
    return { values, events: eventsOf(scene, values, { organizationId, clientId }, cause) }
  }
  return { organizationId, clientId, asked, decide }
}
