import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, type EventsFrom, removal } from '../audit/changes.ts'
import { isLimited } from '../credentials/operator-permissions.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { Conflict, found, idTaken, NotFound, refuse } from '../language/service-errors.ts'
import type { OperatorCause } from '../people/account-guard.ts'

export interface Workspace {
  id: string
  organizationId: string
  name: string
  createdAt: Date
}

export type WorkspaceName = Pick<Workspace, 'id' | 'name'>

type WorkspaceMemberKey = Record<'workspaceId' | 'userId', string>

export type WorkspaceMember = WorkspaceMemberKey & { createdAt: Date }

type Decide<Current> = (current: Current) => Change<Pick<Workspace, 'name'>>

export interface WorkspaceStore {
  /** @returns null when the organization does not exist */
  insert(
    workspace: Pick<Workspace, 'id' | 'organizationId' | 'name'>,
    events: readonly AuditEvent[],
  ): Promise<Workspace | null>
  byId(id: string): Promise<Workspace | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<Workspace> | null>
  /** All of them, by name. */
  names(organizationId: string): Promise<WorkspaceName[]>
  /** Locks the workspace, calls `decide` and writes. */
  change(id: string, decide: Decide<Workspace>): Promise<Workspace | null>
  /**
   * The same, and inserts the workspace when there is none: `decide` then gets null. It may get the workspace of another
   * organization.
   * @returns null when the organization does not exist
   */
  put(
    workspace: Pick<Workspace, 'id' | 'organizationId'>,
    decide: Decide<Workspace | null>,
  ): Promise<Put<Workspace> | null>
  /**
   * Locks the workspace and calls `admit`, which may throw. Also removes the workspace from the installs and key sets that
   * name it, in the same transaction.
   */
  remove(id: string, admit: EventsFrom<Workspace>): Promise<boolean>
  /** Adds the member if missing. `admit` makes the audit events, or throws; `member` is null if missing. */
  putMember(
    workspaceId: string,
    userId: string,
    admit: (member: WorkspaceMember | null, organizationId: string) => readonly AuditEvent[],
  ): Promise<WorkspaceMember | 'no_workspace' | 'no_user' | 'not_a_member'>
  /** @returns null when the workspace does not exist */
  listMembers(workspaceId: string, page: PageRequest): Promise<Page<WorkspaceMember> | null>
  findMember(workspaceId: string, userId: string): Promise<WorkspaceMember | null>
  removeMember(
    member: WorkspaceMemberKey,
    admit: EventsFrom<WorkspaceMember & { organizationId: string }>,
  ): Promise<boolean>
}

const renamed = ({ id, organizationId, name: before }: Workspace, name: string, cause: Cause) => {
  const about = { organizationId, detail: { workspace_id: id, changed: ['name'] } }
  const events = before === name ? [] : [auditEvent(cause, 'workspace.changed', about)]
  return { values: { name }, events }
}

/** Workspaces of organizations, and their members. */
export const createWorkspaces = ({ store }: { store: WorkspaceStore }) => ({
  /** @throws Invalid, NotFound */
  create: async (
    { organizationId, name }: Pick<Workspace, 'organizationId' | 'name'>,
    cause: Cause,
  ): Promise<Workspace> => {
    refuse(nameFaults('/name', name))
    const id = newId('workspace')
    const detail = { workspace_id: id }
    const events = [auditEvent(cause, 'workspace.created', { organizationId, detail })]
    return found(await store.insert({ id, organizationId, name }, events), 'organization')
  },

  /** @throws NotFound */
  read: async (id: string): Promise<Workspace> => found(await store.byId(id), 'workspace'),

  /** Oldest first. @throws NotFound */
  list: async (organizationId: string, page: PageRequest): Promise<Page<Workspace>> =>
    found(await store.list(organizationId, page), 'organization'),

  /** All workspaces of the organization, by name; empty when it does not exist. */
  names: (organizationId: string): Promise<WorkspaceName[]> => store.names(organizationId),

  /** @param name undefined: stays @throws Invalid, NotFound, PreconditionFailed */
  rename: async (
    id: string,
    name: string | undefined,
    cause: Cause,
    precondition: Precondition<Workspace> = anyVersion,
  ): Promise<Workspace> => {
    if (name !== undefined) refuse(nameFaults('/name', name))
    const workspace = await store.change(id, (current) => {
      precondition(current)
      return renamed(current, name ?? current.name, cause)
    })
    return found(workspace, 'workspace')
  },

  /**
   * Creates or renames the workspace with an id of the platform.
   * @throws Invalid, NotFound, PreconditionFailed, Conflict id_taken
   */
  put: async (
    { organizationId, id, name }: Pick<Workspace, 'organizationId' | 'id' | 'name'>,
    cause: Cause,
    precondition: Precondition<Workspace> = anyVersion,
  ): Promise<Put<Workspace>> => {
    refuse(nameFaults('/name', name))
    const put = await store.put({ id, organizationId }, (current) => {
      if (current && current.organizationId !== organizationId)
        throw idTaken('a workspace of another organization')
      precondition(current)
      if (current) return renamed(current, name, cause)
      const about = { organizationId, detail: { workspace_id: id } }
      return { values: { name }, events: [auditEvent(cause, 'workspace.created', about)] }
    })
    return found(put, 'organization')
  },

  /** Installs and key sets that were limited to it no longer name it. @throws NotFound, PreconditionFailed */
  remove: removal('workspace', store.remove, (cause, { id, organizationId }) =>
    auditEvent(cause, 'workspace.deleted', { organizationId, detail: { workspace_id: id } }),
  ),

  /** @throws NotFound, PreconditionFailed, Conflict not_a_member */
  putMember: async (
    { workspaceId, userId }: WorkspaceMemberKey,
    cause: OperatorCause,
    precondition: Precondition<WorkspaceMember> = anyVersion,
  ): Promise<WorkspaceMember> => {
    const detail = { workspace_id: workspaceId }
    const member = await store.putMember(workspaceId, userId, (current, organizationId) => {
      precondition(current)
      const about = { organizationId, userId, detail }
      return current ? [] : [auditEvent(cause, 'workspace_member.added', about)]
    })
    if (member === 'no_workspace') throw new NotFound('workspace')
    // A limited token learns of no user outside of the organization.
    const isUnknown = member === 'not_a_member' && isLimited(cause.rights)
    if (member === 'no_user' || isUnknown) throw new NotFound('user')
    if (member === 'not_a_member')
      throw new Conflict('not_a_member', "the user is not a member of the workspace's organization")
    return member
  },

  /** In the order of joining. @throws NotFound */
  listMembers: async (id: string, page: PageRequest): Promise<Page<WorkspaceMember>> =>
    found(await store.listMembers(id, page), 'workspace'),

  /** @throws NotFound */
  readMember: async (id: string, userId: string): Promise<WorkspaceMember> =>
    found(await store.findMember(id, userId), 'workspace member'),

  /** @throws NotFound, PreconditionFailed */
  removeMember: removal('workspace member', store.removeMember, (cause, member) => {
    const { workspaceId, userId, organizationId } = member
    const about = { organizationId, userId, detail: { workspace_id: workspaceId } }
    return auditEvent(cause, 'workspace_member.removed', about)
  }),
})

export type Workspaces = ReturnType<typeof createWorkspaces>
