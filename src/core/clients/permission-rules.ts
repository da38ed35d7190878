import type { Fault } from '../language/faults.ts'
import { covers, type Interface, vocabulary } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'

/** Only permissions of the interface's vocabulary are allowed; an empty list is allowed. */
export const permissionFaults = (generation: Interface, permissions: readonly string[]): Fault[] =>
  permissions.flatMap((permission, index) =>
    vocabulary[generation].includes(permission)
      ? []
      : [
          {
            pointer: `/permissions/${index}`,
            detail: `is not a permission of the ${generation} interface`,
          },
        ],
  )

/** Only permissions that the app or its install has are allowed. */
export const excessPermissionFaults = (
  allowed: readonly string[],
  asked: readonly string[],
): Fault[] =>
  asked.flatMap((permission, index) =>
    covers(allowed, [permission])
      ? []
      : [{ pointer: `/permissions/${index}`, detail: 'is more than the app may have' }],
  )

/** Only the organization's own workspaces are allowed; on the legacy interface, which has none, only null. */
export const workspaceLimitFaults = (
  generation: Interface,
  limit: WorkspaceLimit,
  own: readonly string[],
): Fault[] => {
  if (limit === null) return []
  if (generation === 'legacy')
    return [{ pointer: '/workspace_ids', detail: 'must be null: the legacy interface has none' }]
  return limit.flatMap((id, index) =>
    own.includes(id)
      ? []
      : [{ pointer: `/workspace_ids/${index}`, detail: 'is not a workspace of the organization' }],
  )
}
