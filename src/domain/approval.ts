import type { App } from './app.ts'
import type { Grant } from './grant.ts'
import { intersect } from './permissions.ts'
import { reachOf, type WorkspaceLimit } from './scope.ts'

/** What an organization's admin has approved, and where that can be used. */
export interface Approval {
  installPermissions: string[]
  installWorkspaceIds: WorkspaceLimit
  /** Current interface: the user's own workspaces in the organization, or all of it for an install. */
  presentWorkspaceIds: string[]
}

/**
 * What a token may do now: never more than the app may ask, the admin approved and the user left ticked.
 * @param grant null for a token of the app itself
 */
export const approvedOf = (
  app: Pick<App, 'permissions'>,
  approval: Approval,
  grant: Pick<Grant, 'permissions' | 'workspaceIds'> | null,
) => ({
  permissions: intersect(
    app.permissions,
    approval.installPermissions,
    grant?.permissions ?? app.permissions,
  ),
  workspaceIds: reachOf(
    approval.presentWorkspaceIds,
    approval.installWorkspaceIds,
    grant?.workspaceIds ?? null,
  ),
})
