import { type Actor, actorOf } from './actors.ts'
import type { Claims } from './claims.ts'
import { isText } from './json.ts'
import { entriesOf, type Interface } from './rules/permissions.ts'
import type { CountUse } from './usage.ts'

export type LegacyPermission =
  | 'readData'
  | 'insertData'
  | 'updateData'
  | 'deleteData'
  | 'addFields'
  | 'readMembers'

export type CurrentPermission =
  | 'records:create'
  | 'records:update'
  | 'records:delete'
  | 'workspace_members:read'
  | 'teams:read'
  | 'documents:read'
  | 'table:create'
  | 'table:modify'
  | 'rootTable:create'

/** A built-in permission, or one of the platform's own. */
export type Permission = LegacyPermission | CurrentPermission | (string & Record<never, never>)

interface Common {
  readonly interface: Interface
  readonly organizationId: string
  readonly clientId: string
  /** The permissions. Reading needs no permission on the current interface. */
  readonly permissions: readonly string[]
  /** The reachable workspaces; null means all workspaces of `organizationId` and of no other, including future ones. */
  readonly workspaceIds: readonly string[] | null
  /** True when the token has the permission. */
  can(permission: Permission): boolean
  /**
   * True when the token reaches this workspace of this organization.
   * @param organizationId the owner of the workspace as the data API has stored it, never taken from this access
   * @throws TypeError unless both are non-empty strings
   */
  reaches(organizationId: string, workspaceId: string): boolean
}

/** An app acts for a user. */
export interface UserAccess extends Common {
  readonly kind: 'user'
  readonly userId: string
  /** Seconds since 1970. */
  readonly expiresAt: number
  /** When the user had signed in: seconds since 1970; absent when unknown. */
  readonly authTime?: number
  /** The context class of that sign-in (OpenID Connect Core §2); absent when unknown. */
  readonly acr?: string
  /** The app that sends the token, when it acts through `clientId`; absent: `clientId` itself. */
  readonly actor?: Actor
}

/** An app acts for itself in an organization that has installed it. */
export interface InstallAccess extends Common {
  readonly kind: 'install'
  /** Seconds since 1970. */
  readonly expiresAt: number
  /** The app that sends the token, when it acts through `clientId`; absent: `clientId` itself. */
  readonly actor?: Actor
}

/** The organization itself acts, with a token that it signed with a key set's secret. */
export interface SelfSignedAccess extends Common {
  readonly kind: 'self_signed'
  /** Seconds since 1970; absent when the token has no expiry. */
  readonly expiresAt?: number
}

/** The organization itself acts, with a legacy key set's secret. */
export interface KeySetAccess extends Common {
  readonly kind: 'key_set'
  /** Seconds since 1970; only set for a replaced secret with an expiry. */
  readonly expiresAt?: number
}

/** The actor of a request and its rights. `kind` distinguishes the cases. */
export type Access = UserAccess | InstallAccess | SelfSignedAccess | KeySetAccess

/**
 * A token that reaches all workspaces contains no list of them. So a workspace id alone cannot be judged: an id of any
 * organization would pass. A caller that forgets the organization must fail before it gets an answer.
 */
const checkReachArguments = (organizationId: unknown, workspaceId: unknown) => {
  if (isText(organizationId) && isText(workspaceId)) return
  throw new TypeError(
    'write access.reaches(organizationId, workspaceId) with two non-empty strings: the organization that owns the workspace, and the workspace',
  )
}

const counters = new WeakMap<Access, CountUse>()

/** Counts that the token may read, which needs no permission on the current interface. */
export const countRead = (access: Access) => counters.get(access)?.('read')

/** Shared by all requests with the same token, so it is frozen. */
export const accessOf = (claims: Claims, countUse?: CountUse): Access => {
  const { kind, organizationId, clientId, userId, expiresAt, authTime, acr } = claims
  const permissions = Object.freeze(claims.permissions)
  const workspaceIds = claims.workspaceIds && Object.freeze(claims.workspaceIds)
  const actor = actorOf(claims.actors)
  let isListed: ((workspaceId: string) => boolean) | null = null
  const access = Object.freeze({
    kind,
    interface: claims.interface,
    organizationId,
    clientId,
    permissions,
    workspaceIds,
    ...(userId !== null && { userId }),
    ...(expiresAt !== null && { expiresAt }),
    ...(authTime !== null && { authTime }),
    ...(acr !== null && { acr }),
    ...(actor && { actor }),
    can: (permission: Permission) => {
      const isGranted = permissions.includes(permission)
      if (isGranted) countUse?.(permission)
      return isGranted
    },
    reaches: (organization: string, workspace: string) => {
      checkReachArguments(organization, workspace)
      if (organization !== organizationId) return false
      if (workspaceIds === null) return true
      isListed ??= entriesOf(workspaceIds)
      return isListed(workspace)
    },
  }) as Access
  if (countUse) counters.set(access, countUse)
  return access
}
