import { fingerprintOf } from '../crypto/digests.ts'
import type { Precondition } from './precondition.ts'
import type { WorkspaceLimit } from './scope.ts'

/** An object that two admins may edit at the same time. */
export interface Editable {
  id: string
  permissions: readonly string[]
  workspaceIds: WorkspaceLimit
  name?: string
  description?: string | null
}

/** The version that a caller has read; without it a change applies to any version. */
export interface ReadVersion<Item> {
  /** The version that an admin has edited. @see versionOf */
  shown?: string | undefined
  precondition?: Precondition<Item>
}

const sorted = (values: readonly string[]) => [...values].sort()

/**
 * An opaque version of the content of a form: it changes when the content changes. Parts that the form does not show,
 * such as secrets, do not count.
 */
export const versionOf = ({ id, name, description, permissions, workspaceIds }: Editable) =>
  fingerprintOf([
    id,
    name ?? null,
    description ?? null,
    sorted(permissions),
    workspaceIds && sorted(workspaceIds),
  ])

/** Would this change overwrite another user's change since `shown`? Two equal changes do not conflict. */
export const isEditConflict = (shown: string, saved: Editable, wanted: Editable): boolean =>
  versionOf(saved) !== shown && versionOf(wanted) !== versionOf(saved)
