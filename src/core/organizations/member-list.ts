import type { Page, PageRequest } from '../language/paging.ts'
import type { PersonOfApp } from './app-people.ts'
import type { Role } from './members.ts'

/** A member as the admins of the organization see one. */
export interface ListedMember {
  userId: string
  name: string
  email: string
  role: Role
  /** The operator has disabled the account. */
  disabled: boolean
  /** The beginning of the newest session that still exists; null: there is none. */
  lastSignIn: Date | null
  /** Names of some of the member's workspaces in the organization, by name. */
  workspaces: string[]
  /** How many there are. */
  workspaceCount: number
  /** Names of some of the member's groups in the organization, by name. */
  groups: string[]
  /** Names of some of the apps that act for the member in the organization, by name. */
  apps: string[]
  /** How many there are. */
  appCount: number
}

/** An app that acts for a member: its install, and the access for this member. */
export type AppOfMember = Omit<PersonOfApp, 'userId' | 'name' | 'email'> &
  Record<'clientId' | 'name', string>

export interface MemberListStore {
  /** By name. The request can ask for those with a `role`. */
  list(organizationId: string, page: PageRequest): Promise<Page<ListedMember>>
  /** null: the user is no member. */
  find(organizationId: string, userId: string): Promise<ListedMember | null>
  /** Apps with access for the member, by name. */
  apps(organizationId: string, userId: string, page: PageRequest): Promise<Page<AppOfMember>>
}
