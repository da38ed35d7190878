import { type Fault, faultAt, faultIf, faultsOfItems } from '../language/faults.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { covers, type Interface } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'

/** Characters of a list in a token: quotes and commas included. */
export const listLength = (items: readonly string[]): number =>
  items.reduce((length, item) => length + item.length + 3, 0)

/** Characters of permissions in a token, which has them in `scope` and in `permissions`. */
const lengthInToken = (permissions: readonly string[]): number =>
  permissions.join(' ').length + listLength(permissions)

/** Characters that permissions may have in a token, so that it fits into a header beside its other claims (decision 0108). */
const longestPermissions = 4000

/** Characters of the names alone: fewer are never too long. */
export const shortestTooLong = longestPermissions / 4 - 1

/** Do permissions leave no room for the other claims? */
export const isTooLong = (permissions: readonly string[]): boolean =>
  lengthInToken(permissions) > longestPermissions

/** The rule for the length of a list of permissions. */
export const permissionLengthFaults = (permissions: readonly string[]): Fault[] =>
  faultIf(
    isTooLong(permissions),
    '/permissions',
    'permissions_too_long',
    `needs ${lengthInToken(permissions)} of ${longestPermissions} characters of a token`,
  )

/** Only permissions of the interface that the catalogue has are allowed; an empty list is allowed. */
export const permissionFaults = (
  catalogue: Pick<PermissionCatalogue, 'find'>,
  generation: Interface,
  permissions: readonly string[],
): Fault[] =>
  faultsOfItems(
    permissions,
    (one) => !catalogue.find(generation, one),
    '/permissions',
    'unknown_permission',
    `is not a permission of the ${generation} interface`,
  )

/** Only permissions that the app or its install has are allowed. */
export const excessPermissionFaults = (allowed: readonly string[], requested: readonly string[]) =>
  faultsOfItems(
    requested,
    (one) => !covers(allowed, [one]),
    '/permissions',
    'permission_beyond_app',
    'is more than the app may have',
  )

/** Only the organization's own workspaces are allowed; on the legacy interface, which has none, only null. */
export const workspaceLimitFaults = (
  generation: Interface,
  limit: WorkspaceLimit,
  own: readonly string[],
): Fault[] => {
  if (limit === null) return []
  if (generation === 'legacy')
    return [
      faultAt('/workspace_ids', 'current_only', 'must be null: the legacy interface has none'),
    ]
  return faultsOfItems(
    limit,
    (id) => !own.includes(id),
    '/workspace_ids',
    'unknown_workspace',
    'is not a workspace of the organization',
  )
}
