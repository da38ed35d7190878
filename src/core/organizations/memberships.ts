import type { Role } from './members.ts'

/** An organization as one of its people has it. */
export interface OrganizationMembership {
  id: string
  name: string
  role: Role
}

export interface MembershipStore {
  /** By name. */
  ofUser(userId: string): Promise<OrganizationMembership[]>
  find(userId: string, organizationId: string): Promise<OrganizationMembership | null>
  /** The names of these people, by id. */
  names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** The organizations of a person, as they are at this moment. */
export const createMemberships = ({ store }: { store: MembershipStore }) => ({
  /** Those that the person administers, by name. */
  administered: async (userId: string): Promise<OrganizationMembership[]> =>
    (await store.ofUser(userId)).filter(({ role }) => role === 'admin'),

  /** The organization when the person administers it; null for every other one, existing or not. */
  asAdmin: async (
    userId: string,
    organizationId: string,
  ): Promise<OrganizationMembership | null> => {
    const membership = await store.find(userId, organizationId)
    return membership?.role === 'admin' ? membership : null
  },

  /** The names of people, by id; without those who are gone. */
  names: (userIds: readonly string[]): Promise<ReadonlyMap<string, string>> => store.names(userIds),
})

export type Memberships = ReturnType<typeof createMemberships>
