import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { found, NotFound } from '../language/service-errors.ts'

export const roles = ['admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A user of an organization. */
export interface Member {
  organizationId: string
  userId: string
  role: Role
  createdAt: Date
}

export interface MemberStore {
  /**
   * Adds the member or changes the role. `admit` makes the audit events from the former member, or throws; without
   * events nothing changes.
   * @returns null when the organization or the user does not exist
   */
  put(
    member: Pick<Member, 'organizationId' | 'userId' | 'role'>,
    admit: (before: Member | null) => readonly AuditEvent[],
  ): Promise<Member | null>
  find(organizationId: string, userId: string): Promise<Member | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<Member> | null>
  /** Also removes the user from the organization's workspaces, in one transaction. */
  remove(
    organizationId: string,
    userId: string,
    admit: (member: Member) => readonly AuditEvent[],
  ): Promise<boolean>
}

/** Members of organizations. */
export const createMembers = ({ store }: { store: MemberStore }) => ({
  /** Adds a member or changes the role. @throws NotFound, PreconditionFailed */
  put: async (
    organizationId: string,
    userId: string,
    role: Role,
    cause: Cause,
    precondition: Precondition<Member> = anyVersion,
  ): Promise<Member> => {
    const member = await store.put({ organizationId, userId, role }, (before) => {
      precondition(before)
      if (before?.role === role) return []
      const type = before === null ? 'member.added' : 'member.changed'
      return [auditEvent(cause, type, { organizationId, userId, detail: { role } })]
    })
    return found(member, 'organization or user')
  },

  /** @throws NotFound */
  read: async (organizationId: string, userId: string): Promise<Member> =>
    found(await store.find(organizationId, userId), 'member'),

  /** In the order of joining. @throws NotFound */
  list: async (organizationId: string, page: PageRequest): Promise<Page<Member>> =>
    found(await store.list(organizationId, page), 'organization'),

  /**
   * Removes the user from the organization and all of its workspaces.
   * @throws NotFound, PreconditionFailed
   */
  remove: async (
    organizationId: string,
    userId: string,
    cause: Cause,
    precondition: Precondition<Member> = anyVersion,
  ): Promise<void> => {
    const removed = await store.remove(organizationId, userId, (current) => {
      precondition(current)
      return [auditEvent(cause, 'member.removed', { organizationId, userId })]
    })
    if (!removed) throw new NotFound('member')
  },
})

export type Members = ReturnType<typeof createMembers>
