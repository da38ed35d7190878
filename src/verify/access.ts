import type { Interface } from '../domain/permissions.ts'
import type { Claims } from './claims.ts'

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

export type Permission = LegacyPermission | CurrentPermission

interface Common {
  readonly interface: Interface
  readonly organizationId: string
  readonly clientId: string
  /** What may be done. Reading needs no permission on the current interface. */
  readonly permissions: readonly string[]
  /** What may be reached: null means every workspace of the organization, now and later. */
  readonly workspaceIds: readonly string[] | null
  /** Is the permission given? */
  can(permission: Permission): boolean
  /** May the workspace be reached? That it belongs to the organization is for the data API to know. */
  reaches(workspaceId: string): boolean
}

/** An app acts for a person. */
export interface UserAccess extends Common {
  readonly kind: 'user'
  readonly userId: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** An app acts for itself, where it is installed. */
export interface InstallAccess extends Common {
  readonly kind: 'install'
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** The organization itself acts, with a token that it signed with a key set's secret. */
export interface SelfSignedAccess extends Common {
  readonly kind: 'self_signed'
  /** Seconds since 1970; absent when its maker set no end. */
  readonly expiresAt?: number
}

/** The organization itself acts, with a legacy key set's secret. */
export interface KeySetAccess extends Common {
  readonly kind: 'key_set'
  /** Seconds since 1970; only of a secret that was replaced and has an end. */
  readonly expiresAt?: number
}

/** Who acts, and how far; `kind` tells which. */
export type Access = UserAccess | InstallAccess | SelfSignedAccess | KeySetAccess

/** Shared by all who show the same token, so nobody may change it. */
export const accessOf = (claims: Claims): Access => {
  const { kind, organizationId, clientId, userId, expiresAt } = claims
  const permissions = Object.freeze(claims.permissions)
  const workspaceIds = claims.workspaceIds && Object.freeze(claims.workspaceIds)
  return Object.freeze({
    kind,
    interface: claims.interface,
    organizationId,
    clientId,
    permissions,
    workspaceIds,
    ...(userId !== null && { userId }),
    ...(expiresAt !== null && { expiresAt }),
    can: (permission: Permission) => permissions.includes(permission),
    reaches: (id: string) => workspaceIds === null || workspaceIds.includes(id),
  }) as Access
}
