import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched } from '../audit/changes.ts'
import { excessPermissionFaults, workspaceLimitFaults } from '../clients/permission-rules.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Fault } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { type Interface, inOrder, intersect } from '../language/permissions.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { editConflict, found, Invalid, NotFound, refuse } from '../language/service-errors.ts'
import { type Editable, isEditConflict } from '../language/version.ts'
import type { Install } from './install.ts'

/** An install as stored. */
export interface StoredInstall extends Install {
  updatedAt: Date
}

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

/** The version that a caller has read; without it a change applies to any version. */
export interface InstallVersion {
  /** The version that an admin has edited. @see versionOf */
  shown?: string | undefined
  precondition?: Precondition<StoredInstall>
}

/** A requested change, applied once the stored install is read. */
type Wanted = Patch<InstallApproval & { suspended: boolean }>

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

export interface InstallStore {
  /**
   * Locks the organizations, calls each `decide`, inserts the installs or changes the live ones, and answers open
   * requests for the apps as approved, in one transaction. The lock allows one approval of an organization at a time.
   * @param wanted no pair of organization and app twice
   * @returns an install for each; null when the organization or the app does not exist, or `decide` has returned null
   */
  approve(
    wanted: readonly WantedApproval[],
    decidedBy: string | null,
  ): Promise<(StoredInstall | null)[]>
  live(organizationId: string, clientId: string): Promise<StoredInstall | null>
  /** Live installs. @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<StoredInstall> | null>
  /** Locks the organization as `approve` does, calls `admit`, which may throw, and ends the live install. */
  end(
    organizationId: string,
    clientId: string,
    admit: (install: StoredInstall) => readonly AuditEvent[],
  ): Promise<boolean>
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

/** An approval of one app in one organization, as part of many. */
export interface NamedApproval extends InstallApproval {
  organizationId: string
  clientId: string
}

export type ApprovalOutcome = 'created' | 'updated' | 'unchanged' | Invalid | NotFound

const byUser = ({ actor }: Cause) => (actor.kind === 'user' ? actor.id : null)

/** Installs of organizations: apps and their limits. */
export const createInstalls = ({ store }: { store: InstallStore }) => {
  const read = async (organizationId: string, clientId: string): Promise<StoredInstall> =>
    found(await store.live(organizationId, clientId), 'install')

  const approvalOf = (
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

  const write = async (...approval: Parameters<typeof approvalOf>) => {
    const [, , , , , cause] = approval
    const [install] = await store.approve([approvalOf(...approval)], cause.actor.id)
    return found(install ?? null, 'organization or app')
  }

  return {
    /**
     * Installs the app, or replaces the approval of the live install; a suspended one stays suspended. Answers open
     * requests for the app. After an uninstall, a new install has a new id.
     * @throws Invalid for more permissions than the app has, and for foreign workspaces; NotFound; PreconditionFailed
     */
    approve: (
      organizationId: string,
      clientId: string,
      approval: InstallApproval,
      cause: Cause,
      precondition: Precondition<StoredInstall> = anyVersion,
    ) => {
      const wantedIn = ({ live }: ApprovalScene) => {
        precondition(live)
        return approval
      }
      return write(organizationId, clientId, approval.workspaceIds, wantedIn, 'replace', cause)
    },

    /**
     * Approves many apps at once, as `approve` does. A refused one does not affect the others.
     * @param approvals no pair of organization and app twice
     * @returns an outcome for each
     * @throws Invalid when a permission was retired meanwhile: nothing is stored, and each can be tried alone
     */
    approveMany: async (
      approvals: readonly NamedApproval[],
      cause: Cause,
    ): Promise<ApprovalOutcome[]> => {
      const outcomes: ApprovalOutcome[] = approvals.map(() => new NotFound('organization or app'))
      const wanted = approvals.map(({ organizationId, clientId, ...approval }, at) => {
        const named = approval.workspaceIds
        const one = approvalOf(organizationId, clientId, named, () => approval, 'replace', cause)
        const decide = (scene: ApprovalScene) => {
          try {
            const change = one.decide(scene)
            const isSame = change.events.length === 0
            outcomes[at] = !scene.live ? 'created' : isSame ? 'unchanged' : 'updated'
            return change
          } catch (error) {
            if (!(error instanceof Invalid)) throw error
            outcomes[at] = error
            return null
          }
        }
        return { ...one, decide }
      })
      await store.approve(wanted, cause.actor.id)
      return outcomes
    },

    /**
     * Installs the app unless a live install exists: an approval by another admin in the meantime stays.
     * @throws Invalid, NotFound
     */
    install: (organizationId: string, clientId: string, approval: InstallApproval, cause: Cause) =>
      write(organizationId, clientId, approval.workspaceIds, () => approval, 'install', cause),

    /** Installs the app as the answer to members' requests. @throws Invalid; NotFound when no request is open */
    approveRequested: (
      organizationId: string,
      clientId: string,
      approval: InstallApproval,
      cause: Cause,
    ) => {
      const wantedIn = ({ live, requestedBy }: ApprovalScene) => {
        if (live || requestedBy.length === 0) throw new NotFound('install request')
        return approval
      }
      return write(organizationId, clientId, approval.workspaceIds, wantedIn, 'replace', cause)
    },

    /**
     * Changes parts of a live install.
     * @throws Invalid, NotFound, PreconditionFailed, Conflict changed_meanwhile
     */
    change: (
      organizationId: string,
      clientId: string,
      patch: Wanted,
      cause: Cause,
      { shown, precondition = anyVersion }: InstallVersion = {},
    ) => {
      const wantedIn = ({ live }: ApprovalScene) => {
        precondition(live)
        if (live && shown && isEditConflict(shown, live, patched<Editable>(live, patch)))
          throw editConflict()
        return patch
      }
      return write(organizationId, clientId, patch.workspaceIds, wantedIn, 'change', cause)
    },

    /**
     * Approves more of the app's permissions and declines the rest, whatever else has changed.
     * @throws Invalid, NotFound
     */
    widen: (
      organizationId: string,
      clientId: string,
      { permissions, declined }: Pick<InstallApproval, 'permissions' | 'declined'>,
      cause: Cause,
    ) => {
      const wantedIn = ({ app, live }: ApprovalScene) => {
        if (permissions.length === 0) return { declined }
        const kept = intersect(app.permissions, live?.permissions ?? [])
        return { permissions: [...kept, ...permissions], declined }
      }
      return write(organizationId, clientId, undefined, wantedIn, 'change', cause)
    },

    /** @throws NotFound */
    read,

    /** null: there is none. */
    live: (organizationId: string, clientId: string): Promise<StoredInstall | null> =>
      store.live(organizationId, clientId),

    /** In the order of approval. @throws NotFound */
    list: async (organizationId: string, page: PageRequest): Promise<Page<StoredInstall>> =>
      found(await store.list(organizationId, page), 'organization'),

    /**
     * Ends every grant of the install for good; a later install revives none.
     * @throws NotFound, PreconditionFailed
     */
    end: async (
      organizationId: string,
      clientId: string,
      cause: Cause,
      precondition: Precondition<StoredInstall> = anyVersion,
    ): Promise<void> => {
      const ended = await store.end(organizationId, clientId, (current) => {
        precondition(current)
        return [auditEvent(cause, 'install.ended', { organizationId, clientId })]
      })
      if (!ended) throw new NotFound('install')
    },
  }
}

export type Installs = ReturnType<typeof createInstalls>
