import type { WorkspaceLimit } from './scope.ts'

/** An organization admin's approval of an app. */
export interface Install {
  id: string
  organizationId: string
  clientId: string
  permissions: string[]
  workspaceIds: WorkspaceLimit
  installedBy: string | null
  createdAt: Date
  suspended: boolean
}
