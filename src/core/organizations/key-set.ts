import type { Interface } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'

/** An organization's own credentials (specification §5.1 and §5.2 A). */
export interface KeySet {
  id: string
  clientId: string
  organizationId: string
  interface: Interface
  name: string
  description: string | null
  /** Maximum permissions of its tokens. */
  permissions: string[]
  /** Maximum workspaces of its tokens; null on the legacy interface, which has none. */
  workspaceIds: WorkspaceLimit
}
