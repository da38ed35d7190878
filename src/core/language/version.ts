import { createHash } from 'node:crypto'
import type { WorkspaceLimit } from './scope.ts'

/** What two admins may be about to change at the same time. */
export interface Editable {
  id: string
  permissions: readonly string[]
  workspaceIds: WorkspaceLimit
  name?: string
  description?: string | null
}

const sorted = (values: readonly string[]) => [...values].sort()

/**
 * An opaque name for how something stood when it was shown: another content, another name. What a form does not
 * show, such as secrets, does not count.
 */
export const versionOf = ({ id, name, description, permissions, workspaceIds }: Editable) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        id,
        name ?? null,
        description ?? null,
        sorted(permissions),
        workspaceIds && sorted(workspaceIds),
      ]),
    )
    .digest('base64url')
    .slice(0, 22)

/** Would this change undo what somebody else has saved since `shown`? When both want the same, nothing is lost. */
export const overwrites = (shown: string, saved: Editable, wanted: Editable): boolean =>
  versionOf(saved) !== shown && versionOf(wanted) !== versionOf(saved)
