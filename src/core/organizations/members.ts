import { auditEvent } from '../audit/audit.ts'
import { type EventsFrom, removal } from '../audit/changes.ts'
import { reaches } from '../credentials/operator-permissions.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { found, NotFound } from '../language/service-errors.ts'
import type { OperatorCause } from '../people/account-guard.ts'

export const roles = ['admin', 'member'] as const
export type Role = (typeof roles)[number]

type MemberKey = Record<'organizationId' | 'userId', string>

/** A user of an organization. */
export interface Member extends MemberKey {
  role: Role
  createdAt: Date
}

/** A member who is removed, and what they leave with it. */
export type Leaver = Member & Record<'workspaceIds' | 'groupIds', string[]>

/** A user who becomes a member. */
export interface Newcomer {
  /** The organizations to which the user belongs already. */
  organizationIds: readonly string[]
  /** The operator token that made the user, if it is limited to organizations. */
  createdByToken: string | null
}

export interface MemberStore {
  /**
   * Adds the member or changes the role. `admit` makes the audit events from the former member or the newcomer, or
   * throws; without events nothing changes.
   * @returns null when the organization or the user does not exist
   */
  put(
    member: MemberKey & { role: Role },
    admit: EventsFrom<Member | Newcomer>,
  ): Promise<Member | null>
  find(organizationId: string, userId: string): Promise<Member | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<Member> | null>
  /** Also removes the user from the organization's workspaces, in one transaction. */
  remove(member: MemberKey, admit: EventsFrom<Leaver>): Promise<boolean>
}

/** To a token that is limited to organizations, users exist who belong to these or whom it made itself. */
const knows = ({ rights }: OperatorCause, { organizationIds, createdByToken }: Newcomer) =>
  rights.organizationIds === null ||
  createdByToken === rights.id ||
  organizationIds.some((id) => reaches(rights, id))

const nothing = 'organization or user'

/** Members of organizations. */
export const createMembers = ({ store }: { store: MemberStore }) => ({
  /**
   * Adds a member or changes the role.
   * @throws NotFound for a user whom a limited token does not know as for one that does not exist, PreconditionFailed
   */
  put: async (
    { organizationId, userId, role }: MemberKey & { role: Role },
    cause: OperatorCause,
    precondition: Precondition<Member> = anyVersion,
  ): Promise<Member> => {
    const member = await store.put({ organizationId, userId, role }, (before) => {
      const current = 'role' in before ? before : null
      if (!('role' in before) && !knows(cause, before)) throw new NotFound(nothing)
      precondition(current)
      if (current?.role === role) return []
      const type = current === null ? 'member.added' : 'member.changed'
      return [auditEvent(cause, type, { organizationId, userId, detail: { role } })]
    })
    return found(member, nothing)
  },

  /** @throws NotFound */
  read: async (organizationId: string, userId: string): Promise<Member> =>
    found(await store.find(organizationId, userId), 'member'),

  /** In the order of joining. @throws NotFound */
  list: async (organizationId: string, page: PageRequest): Promise<Page<Member>> =>
    found(await store.list(organizationId, page), 'organization'),

  /** Removes the user from the organization and all of its workspaces. @throws NotFound, PreconditionFailed */
  remove: removal('member', store.remove, (cause, leaver: Leaver) => {
    const { organizationId, userId, role, workspaceIds, groupIds } = leaver
    const detail = { role, workspace_ids: workspaceIds, group_ids: groupIds }
    return auditEvent(cause, 'member.removed', { organizationId, userId, detail })
  }),
})

export type Members = ReturnType<typeof createMembers>
