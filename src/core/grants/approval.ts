import type { App } from '../clients/app.ts'
import { openidNow, readScope } from '../clients/openid.ts'
import { knownByTarget, type Target } from '../clients/targets.ts'
import { invalidScope } from '../language/errors.ts'
import { intersect } from '../language/permissions.ts'
import { narrow, parseWorkspaceIds, reachOf, type WorkspaceLimit } from '../language/scope.ts'
import type { Grant } from './grant.ts'

/** The admin's approval, and the workspaces where it can be used. */
export interface Approved {
  installPermissions: string[]
  installWorkspaceIds: WorkspaceLimit
  /** Current interface: the user's own workspaces in the organization, or all of them for an install. */
  presentWorkspaceIds: string[]
  /** When the install or the user's consent expires, in seconds since 1970; null or absent: neither does. */
  notAfter?: number | null
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
  /** The values of `resource` (RFC 8707), whose form is checked; absent or empty: none. */
  resources?: readonly string[]
}

/**
 * The permissions that the target knows; the others are left out (RFC 8707 §2.2).
 * @throws OAuthError invalid_scope when none of those that the request names remains
 */
export const forTarget = (permissions: string[], target: Target | null, isNamed: boolean) => {
  const known = knownByTarget(target, permissions)
  if (isNamed && permissions.length > 0 && known.length === 0)
    throw invalidScope('permission_of_other_resource')
  return known
}

/**
 * The content of the token for this request.
 * @param grant null for a token of the app itself
 * @param target null: the default audience
 * @throws OAuthError invalid_scope when the request exceeds the approval or is malformed
 */
export const narrowedTo = (
  app: Pick<App, 'interface' | 'permissions' | 'openid'> & Partial<Pick<App, 'admitted'>>,
  approval: Approved,
  grant: Pick<Grant, 'permissions' | 'workspaceIds' | 'openidScopes'> | null,
  requested: Narrowing,
  target: Target | null = null,
) => {
  const approved = approvedOf(app, approval, grant)
  const scope = readScope(app, requested.scope)
  const namedWorkspaces =
    app.interface === 'current' ? parseWorkspaceIds(requested.workspaceIds) : null
  const workspaceIds =
    app.interface === 'current'
      ? narrow(approved.workspaceIds, namedWorkspaces, 'workspace_not_approved')
      : null
  const named = scope?.permissions ?? null
  const permissions = narrow(approved.permissions, named, 'permission_not_approved')
  return {
    permissions: forTarget(permissions, target, named !== null),
    ...(target && { resources: target.resources }),
    openidScopes: narrow(
      openidNow(app, grant?.openidScopes ?? []),
      scope?.openidScopes ?? null,
      'openid_not_approved',
    ),
    workspaceIds,
    ...(approval.notAfter != null && { notAfter: approval.notAfter }),
    /** The request named workspaces, so later ones are not meant. */
    namesWorkspaces: namedWorkspaces !== null,
  }
}
