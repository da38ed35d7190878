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

export type OperatorPermission = (typeof operatorPermissions)[number]
