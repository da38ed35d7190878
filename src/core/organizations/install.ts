import { type AuditEvent, auditEvent, byServer } from '../audit/audit.ts'
import type { AccessEnd } from '../language/access-end.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { AudienceLimit } from './audience.ts'

/** One app in one organization. */
export type InstallKey = Record<'organizationId' | 'clientId', string>

/**
 * Why an install gives nothing at present, although nothing of it has ended: an admin has suspended it, or the policy of the
 * organization refuses such apps.
 */
export type InstallPause = 'install_suspended' | 'policy'

/** An organization's approval of an app, by an admin, or by members for themselves. */
export interface Install extends AccessEnd {
  id: string
  organizationId: string
  clientId: string
  permissions: string[]
  /** Permissions that the app requests and the admin has seen but not approved. */
  declinedPermissions: string[]
  workspaceIds: WorkspaceLimit
  audience: AudienceLimit
  /** The members in its audience have made it, each for themselves; no admin has approved it. */
  self: boolean
  installedBy: string | null
  createdAt: Date
  suspended: boolean
}

/** What an approval decides. */
export type InstallValues = Pick<
  Install,
  | 'id'
  | 'permissions'
  | 'declinedPermissions'
  | 'workspaceIds'
  | 'audience'
  | 'self'
  | 'installedBy'
  | 'suspended'
  | keyof AccessEnd
>

/** An install as stored. */
export interface StoredInstall extends Install {
  /** Permissions that the app requires and the install does not have. */
  missing: string[]
  /** People whom an admin has denied the app there, members or not. */
  denied: string[]
  updatedAt: Date
}

/** Permissions that the app may request and that are not approved: new ones, and ones that were declined before. */
export type Widening = Record<'fresh' | 'declined', string[]>

/** Compares the app's present permissions with the approved ones. */
export const wideningOf = (
  requested: readonly string[],
  install: Pick<Install, 'permissions' | 'declinedPermissions'>,
): Widening => {
  const missing = requested.filter((one) => !install.permissions.includes(one))
  return {
    fresh: missing.filter((one) => !install.declinedPermissions.includes(one)),
    declined: missing.filter((one) => install.declinedPermissions.includes(one)),
  }
}

/** Why access has ended without a person's decision. */
export type EndReason = 'expired' | 'unused'

/** The event of an uninstall by the server, which differs from an admin's in its reason only. */
export const installEnded = (about: InstallKey, reason: EndReason): AuditEvent =>
  auditEvent(byServer, 'install.ended', { ...about, detail: { reason } })
