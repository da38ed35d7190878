import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { found, Invalid, refuse } from '../language/service-errors.ts'
import { distinctPermissions, type Operator, permissionFaults } from './operator-permissions.ts'

/** What a user may do in the operator's console. */
export interface OperatorGrant {
  userId: string
  email: string
  name: string
  disabled: boolean
  /** Has the user ever signed in? */
  hasSignedIn: boolean
  /** Empty: the user is no operator. */
  permissions: readonly string[]
  /** null: the user is no operator. */
  createdAt: Date | null
}

export interface OperatorGrantStore {
  /** The permissions of an enabled user; null when the user is no operator, disabled or unknown. */
  permissionsOf(userId: string): Promise<readonly string[] | null>
  /** null when there is no such user */
  byUser(userId: string): Promise<OperatorGrant | null>
  /** Those of the users who are operators. */
  among(userIds: readonly string[]): Promise<string[]>
  /** Operators only, oldest grant first. */
  list(page: PageRequest): Promise<Page<OperatorGrant>>
  /**
   * Locks the user, calls `admit`, which may throw, and stores the permissions; without any it removes the grant.
   * @returns null when there is no such user
   */
  put(
    userId: string,
    permissions: readonly string[],
    admit: (before: OperatorGrant) => readonly AuditEvent[],
  ): Promise<OperatorGrant | null>
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))

const eventsOf = (before: OperatorGrant, permissions: readonly string[], cause: Cause) => {
  const { userId } = before
  if (isSame(before.permissions, permissions)) return []
  return permissions.length === 0
    ? [auditEvent(cause, 'operator.revoked', { userId })]
    : [auditEvent(cause, 'operator.granted', { userId, detail: { permissions } })]
}

/** Users as operators. The permissions are those of operator tokens. */
export const createOperatorGrants = (store: OperatorGrantStore) => ({
  /** The rights that the user has at this moment; null: none. */
  rightsOf: async (userId: string): Promise<Operator | null> => {
    const permissions = await store.permissionsOf(userId)
    return permissions && { id: userId, permissions, organizationIds: null }
  },

  /** @throws NotFound */
  read: async (userId: string): Promise<OperatorGrant> => found(await store.byUser(userId), 'user'),

  /** Those of the users who are operators. */
  among: async (userIds: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(userIds.length === 0 ? [] : await store.among(userIds)),

  list: (page: PageRequest): Promise<Page<OperatorGrant>> => store.list(page),

  /**
   * Replaces the permissions; none: the user is no operator any more. It takes effect with the next request.
   * @throws Invalid, NotFound, PreconditionFailed
   */
  put: async (
    userId: string,
    wanted: readonly string[],
    cause: Cause,
    precondition: Precondition<OperatorGrant> = anyVersion,
  ): Promise<OperatorGrant> => {
    const permissions = distinctPermissions(wanted)
    refuse(permissions.length === 0 ? [] : permissionFaults(permissions))
    const put = await store.put(userId, permissions, (before) => {
      precondition(before)
      if (before.disabled && permissions.length > 0)
        throw new Invalid([faultAt('/permissions', 'user_disabled', 'the user is disabled')])
      return eventsOf(before, permissions, cause)
    })
    return found(put, 'user')
  },
})

export type OperatorGrants = ReturnType<typeof createOperatorGrants>
