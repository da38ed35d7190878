import type { AppReach } from '../clients/app-change-rules.ts'

/** How much goes with an organization; zeros for one that does not exist. */
export type OrganizationCounts = Record<'members' | 'workspaces' | 'installs' | 'keySets', number>

/** How much goes with a user. `apps`: those that act for them. `owned`: apps without another owner. */
export type UserCounts = Record<'organizations' | 'apps' | 'owned', number>

/** What a deletion takes along. */
export interface DeletionCounts {
  ofOrganization(id: string): Promise<OrganizationCounts>
  ofApp(clientId: string): Promise<AppReach>
  ofUser(id: string): Promise<UserCounts>
}
