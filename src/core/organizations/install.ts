import type { WorkspaceLimit } from '../language/scope.ts'

/** An organization admin's approval of an app. */
export interface Install {
  id: string
  organizationId: string
  clientId: string
  permissions: string[]
  /** What the app asks for, an admin has seen and did not approve. */
  declinedPermissions: string[]
  workspaceIds: WorkspaceLimit
  installedBy: string | null
  createdAt: Date
  suspended: boolean
}

/** What an app may ask for and was not approved: not looked at yet, or declined before. */
export interface Widening {
  fresh: string[]
  declined: string[]
}

/** The difference between what the app may ask for now and what was approved. */
export const wideningOf = (
  asked: readonly string[],
  install: Pick<Install, 'permissions' | 'declinedPermissions'>,
): Widening => {
  const missing = asked.filter((one) => !install.permissions.includes(one))
  return {
    fresh: missing.filter((one) => !install.declinedPermissions.includes(one)),
    declined: missing.filter((one) => install.declinedPermissions.includes(one)),
  }
}
