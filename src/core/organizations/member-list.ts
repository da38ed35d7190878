import type { Page, SearchRequest } from '../language/paging.ts'
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
}

export interface MemberSearch extends SearchRequest {
  /** Only members with this role; null: all. */
  role: Role | null
}

export interface MemberListStore {
  /** By name. The search text is part of the name or of the e-mail address. */
  list(organizationId: string, search: MemberSearch): Promise<Page<ListedMember>>
}
