import type { MemberListStore } from './member-list.ts'
import type { Role } from './members.ts'

/** A user's membership in an organization. */
export interface OrganizationMembership {
  id: string
  name: string
  role: Role
}

export interface MembershipStore {
  /** By name. */
  ofUser(userId: string): Promise<OrganizationMembership[]>
  find(userId: string, organizationId: string): Promise<OrganizationMembership | null>
  /** Names of these users, by id. */
  names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** The current organizations of a user. */
export const createMemberships = (store: MembershipStore, memberList: MemberListStore) => ({
  /** Every organization of the user, by name. */
  all: store.ofUser,

  /** The organization if the user is a member of it; null for every other one, existing or not. */
  asMember: store.find,

  /** The organization if the user administers it; null for every other one, existing or not. */
  asAdmin: async (userId: string, organizationId: string) => {
    const membership = await store.find(userId, organizationId)
    return membership?.role === 'admin' ? membership : null
  },

  /** The members of an organization, for its admins. */
  members: memberList.list,

  /** One member, and the apps that act for the member. */
  member: memberList.find,
  appsOfMember: memberList.apps,

  /** Names of users by id; deleted users are missing. */
  names: store.names,
})

export type Memberships = ReturnType<typeof createMemberships>
