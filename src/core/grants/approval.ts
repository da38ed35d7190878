import type { App } from '../clients/app.ts'
import { openidNow, readScope } from '../clients/openid.ts'
import { intersect } from '../language/permissions.ts'
import { narrow, parseWorkspaceIds, reachOf, type WorkspaceLimit } from '../language/scope.ts'
import type { Grant } from './grant.ts'

/** The admin's approval, and the workspaces where it can be used. */
export interface Approved {
  installPermissions: string[]
  installWorkspaceIds: WorkspaceLimit
  /** Current interface: the user's own workspaces in the organization, or all of them for an install. */
  presentWorkspaceIds: string[]
}

/**
 * Present maximum of a token: what the app may request, the admin approved and the user approved.
 * @param grant null for a token of the app itself
 */
export const approvedOf = (
  app: Pick<App, 'permissions'>,
  approval: Approved,
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

/** The part of the approval that a request asks for, as sent; undefined: all of it. */
export interface Narrowing {
  scope: string | undefined
  workspaceIds: string | undefined
}

/**
 * The content of the token for this request.
 * @param grant null for a token of the app itself
 * @throws OAuthError invalid_scope when the request exceeds the approval or is malformed
 */
export const narrowedTo = (
  app: Pick<App, 'interface' | 'permissions' | 'openid'>,
  approval: Approved,
  grant: Pick<Grant, 'permissions' | 'workspaceIds' | 'openidScopes'> | null,
  asked: Narrowing,
) => {
  const approved = approvedOf(app, approval, grant)
  const scope = readScope(app, asked.scope)
  const named = app.interface === 'current' ? parseWorkspaceIds(asked.workspaceIds) : null
  const workspaceIds =
    app.interface === 'current'
      ? narrow(approved.workspaceIds, named, 'workspace_not_approved')
      : null
  return {
    permissions: narrow(
      approved.permissions,
      scope?.permissions ?? null,
      'permission_not_approved',
    ),
    openidScopes: narrow(
      openidNow(app, grant?.openidScopes ?? []),
      scope?.openidScopes ?? null,
      'openid_not_approved',
    ),
    workspaceIds,
    /** The request named workspaces, so later ones are not meant. */
    namesWorkspaces: named !== null,
  }
}
