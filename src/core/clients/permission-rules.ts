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
export const permissionLengthFaults = (permissions: readonly string[]): Fault[] => {
  const detail = `needs ${lengthInToken(permissions)} of ${longestPermissions} characters of a token`
  return faultIf(isTooLong(permissions), '/permissions', 'permissions_too_long', detail)
}

/** Only permissions of the interface that the catalogue has are allowed; an empty list is allowed. */
export const permissionFaults = (
  catalogue: Pick<PermissionCatalogue, 'find'>,
  generation: Interface,
  permissions: readonly string[],
): Fault[] => {
  const isUnknown = (one: string) => !catalogue.find(generation, one)
  const detail = `is not a permission of the ${generation} interface`
  return faultsOfItems(permissions, isUnknown, '/permissions', 'unknown_permission', detail)
}

/** Only permissions that the app or its install has are allowed. */
export const excessPermissionFaults = (
  allowed: readonly string[],
  requested: readonly string[],
) => {
  const isExcess = (one: string) => !covers(allowed, [one])
  const detail = 'is more than the app may have'
  return faultsOfItems(requested, isExcess, '/permissions', 'permission_beyond_app', detail)
}

/** Only the organization's own workspaces are allowed; on the legacy interface, which has none, only null. */
export const workspaceLimitFaults = (
  generation: Interface,
  limit: WorkspaceLimit,
  own: readonly string[],
): Fault[] => {
  if (limit === null) return []
  const pointer = '/workspace_ids'
  if (generation === 'legacy')
    return [faultAt(pointer, 'current_only', 'must be null: the legacy interface has none')]
  const isForeign = (id: string) => !own.includes(id)
  const detail = 'is not a workspace of the organization'
  return faultsOfItems(limit, isForeign, pointer, 'unknown_workspace', detail)
}
