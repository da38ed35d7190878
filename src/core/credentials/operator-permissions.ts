import { type Fault, faultAt } from '../language/faults.ts'

/** What an operator token may be allowed to do. A permission to write does not include the one to read. */
export const operatorPermissions = [
  'apps:read',
  'apps:write',
  'organizations:read',
  'organizations:write',
  'users:read',
  'users:write',
  'installs:read',
  'installs:write',
  'key_sets:read',
  'key_sets:write',
  'keys:read',
  'keys:write',
  'permissions:read',
  'permissions:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'tokens:inspect',
] as const

/** Includes every permission, also future ones and the right to make operator tokens. */
export const everything = '*'

export type OperatorPermission = (typeof operatorPermissions)[number] | typeof everything

/** The holder of a valid operator token. */
export interface Operator {
  /** The id of the token; `configured` for the one of the configuration. */
  id: string
  permissions: readonly string[]
  /** The organizations that the token may reach; null: all. */
  organizationIds: readonly string[] | null
}

export const isPermitted = ({ permissions }: Operator, permission: OperatorPermission) =>
  permissions.includes(everything) || permissions.includes(permission)

/** Is it limited to some organizations? */
export const isLimited = ({ organizationIds }: Operator) => organizationIds !== null

/** May it do everything, everywhere? */
export const hasAllRights = (operator: Operator) =>
  isPermitted(operator, everything) && !isLimited(operator)

export const reaches = ({ organizationIds }: Operator, organizationId: string) =>
  organizationIds === null || organizationIds.includes(organizationId)

const notKnown = 'is not a permission of operator tokens'
const known: readonly string[] = [...operatorPermissions, everything]

/** Each permission once; `*` alone, because it includes the others. */
export const distinctPermissions = (permissions: readonly string[]): string[] =>
  permissions.includes(everything) ? [everything] : [...new Set(permissions)]

export const permissionFaults = (permissions: readonly string[]): Fault[] =>
  permissions.length === 0
    ? [faultAt('/permissions', 'empty', 'must not be empty')]
    : permissions.flatMap((one, at) =>
        known.includes(one) ? [] : [faultAt(`/permissions/${at}`, 'unknown_permission', notKnown)],
      )
