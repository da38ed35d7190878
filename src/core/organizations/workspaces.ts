import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'

export interface Workspace {
  id: string
  organizationId: string
  name: string
  createdAt: Date
}

export type WorkspaceName = Pick<Workspace, 'id' | 'name'>

export interface WorkspaceMember {
  workspaceId: string
  userId: string
  createdAt: Date
}

/** Makes the audit events from the workspace's organization. */
export type EventsOf = (organizationId: string) => readonly AuditEvent[]

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
  /** Writes the name and the audit events only if the name changes. */
  rename(id: string, name: string, eventsOf: EventsOf): Promise<Workspace | null>
  /** Also removes the workspace from the installs and key sets that name it, in the same transaction. */
  remove(id: string, eventsOf: EventsOf): Promise<boolean>
  /** Adds the member if missing; `eventsOf` makes the audit events of an addition. */
  putMember(
    workspaceId: string,
    userId: string,
    eventsOf: EventsOf,
  ): Promise<WorkspaceMember | 'no_workspace' | 'no_user' | 'not_a_member'>
  /** @returns null when the workspace does not exist */
  listMembers(workspaceId: string, page: PageRequest): Promise<Page<WorkspaceMember> | null>
  removeMember(workspaceId: string, userId: string, eventsOf: EventsOf): Promise<boolean>
}

/** Workspaces of organizations, and their members. */
export const createWorkspaces = ({ store }: { store: WorkspaceStore }) => ({
  /** @throws Invalid, NotFound */
  create: async (organizationId: string, name: string, cause: Cause): Promise<Workspace> => {
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

  /** @throws Invalid, NotFound */
  rename: async (id: string, name: string, cause: Cause): Promise<Workspace> => {
    refuse(nameFaults('/name', name))
    const detail = { workspace_id: id, changed: ['name'] }
    const workspace = await store.rename(id, name, (organizationId) => [
      auditEvent(cause, 'workspace.changed', { organizationId, detail }),
    ])
    return found(workspace, 'workspace')
  },

  /** Installs and key sets that were limited to it no longer name it. @throws NotFound */
  remove: async (id: string, cause: Cause): Promise<void> => {
    const removed = await store.remove(id, (organizationId) => [
      auditEvent(cause, 'workspace.deleted', { organizationId, detail: { workspace_id: id } }),
    ])
    if (!removed) throw new NotFound('workspace')
  },

  /** @throws NotFound, Conflict not_a_member */
  putMember: async (id: string, userId: string, cause: Cause): Promise<WorkspaceMember> => {
    const detail = { workspace_id: id }
    const member = await store.putMember(id, userId, (organizationId) => [
      auditEvent(cause, 'workspace_member.added', { organizationId, userId, detail }),
    ])
    if (member === 'no_workspace') throw new NotFound('workspace')
    if (member === 'no_user') throw new NotFound('user')
    if (member === 'not_a_member')
      throw new Conflict('not_a_member', "the user is not a member of the workspace's organization")
    return member
  },

  /** In the order of joining. @throws NotFound */
  listMembers: async (id: string, page: PageRequest): Promise<Page<WorkspaceMember>> =>
    found(await store.listMembers(id, page), 'workspace'),

  /** @throws NotFound */
  removeMember: async (id: string, userId: string, cause: Cause): Promise<void> => {
    const detail = { workspace_id: id }
    const removed = await store.removeMember(id, userId, (organizationId) => [
      auditEvent(cause, 'workspace_member.removed', { organizationId, userId, detail }),
    ])
    if (!removed) throw new NotFound('workspace member')
  },
})

export type Workspaces = ReturnType<typeof createWorkspaces>
