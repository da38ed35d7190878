// What a resource server may learn: its audiences, permissions and organizations.
import { type Fault, faultAt, faultIf, faultsOfItems } from '../language/faults.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { longestUri } from './link.ts'
import { distinctResources } from './resources.ts'

type Limit = readonly string[] | null

/** The limits of this server itself, and of a resource server without any. */
export const unlimited = {
  /** The audiences (`aud`) of its tokens, compared by `isSameResource`; null: the default audience. */
  resource: null as Limit,
  /** The permissions that it knows; null: all. */
  permissions: null as Limit,
  /** The organizations that it serves; null: all. */
  organizationIds: null as Limit,
}

export type ResourceLimits = typeof unlimited

export const isLimited = ({ resource, permissions, organizationIds }: ResourceLimits) =>
  resource !== null || permissions !== null || organizationIds !== null

export const serves = (
  { organizationIds }: Pick<ResourceLimits, 'organizationIds'>,
  organizationId: string,
) => organizationIds === null || organizationIds.includes(organizationId)

/** The permissions that the resource server knows, in their order. */
export const knownOf = (
  { permissions }: Pick<ResourceLimits, 'permissions'>,
  given: readonly string[],
) => (permissions === null ? [...given] : given.filter((one) => permissions.includes(one)))

export const mostResources = 20

/** JSON Schema pattern of a resource URI (RFC 8707 §2): absolute, without a fragment. */
export const resourcePattern =
  '^[A-Za-z][A-Za-z0-9+.\\-]*:[\\x21\\x24-\\x3b\\x3d\\x3f-\\x5b\\x5d\\x5f\\x61-\\x7a\\x7e%]+$'
const resourceShape = new RegExp(resourcePattern)

/** Nothing is normalized: what is registered or requested keeps its text. */
export const isResource = (uri: string): boolean =>
  uri.length <= longestUri && resourceShape.test(uri) && URL.canParse(uri)

const resourceFaults = (resource: readonly string[]): Fault[] => {
  if (resource.length === 0 || resource.length > mostResources)
    return [faultAt('/resource', 'resource', `must have 1 to ${mostResources} URIs`)]
  const detail = 'must be an absolute URI without a fragment'
  return faultsOfItems(resource, (uri) => !isResource(uri), '/resource', 'resource', detail)
}

const permissionFaults = (
  catalogue: Pick<PermissionCatalogue, 'find'>,
  permissions: readonly string[],
): Fault[] => {
  const isUnknown = (one: string) =>
    !catalogue.find('current', one) && !catalogue.find('legacy', one)
  const detail = 'is not a permission of the catalogue'
  return faultsOfItems(permissions, isUnknown, '/permissions', 'unknown_permission', detail)
}

/** @returns why these cannot be limits; empty when they can */
export const limitFaults = (
  catalogue: Pick<PermissionCatalogue, 'find'>,
  { resource, permissions, organizationIds }: Partial<ResourceLimits>,
): Fault[] => [
  ...(resource ? resourceFaults(resource) : []),
  ...(permissions ? permissionFaults(catalogue, permissions) : []),
  ...faultIf(organizationIds?.length === 0, '/organization_ids', 'empty', 'must not be empty'),
]

const distinct = (list: readonly string[] | null) => list && [...new Set(list)]

/** Each value once. */
export const distinctLimits = (limits: ResourceLimits): ResourceLimits => ({
  resource: limits.resource && distinctResources(limits.resource),
  permissions: distinct(limits.permissions),
  organizationIds: distinct(limits.organizationIds),
})
