import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  everything,
  isPermitted,
  type OperatorPermission,
  reaches,
} from '../../core/credentials/operator-permissions.ts'
import { Forbidden, NotFound } from '../../core/language/service-errors.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'

/**
 * How a token that is limited to organizations may call an operation that names none in its path. `shared`: the answer
 * is the same for all. `checked`: the handler itself keeps to the organizations of the token.
 */
export type LimitedCall = 'shared' | 'checked'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** null: none is needed. */
    permission?: OperatorPermission | null
    alsoPermission?: OperatorPermission
    rights?: Readonly<Record<string, OperatorPermission>>
    limited?: LimitedCall
  }
}

const permissionOf = ({ routeOptions }: FastifyRequest): OperatorPermission | null => {
  const { permission } = routeOptions.config
  if (permission === undefined) throw new Error(`no permission is declared: ${routeOptions.url}`)
  return permission
}

/** Refuses routes without a permission at the start, and requests without it before the body is read. */
export const requirePermissions = (scope: FastifyInstance) => {
  scope.addHook('onRoute', ({ url, config }) => {
    if (config?.permission === undefined) throw new Error(`no permission is declared: ${url}`)
  })
  scope.addHook('onRequest', async (request) => {
    if (request.is404) return
    const { alsoPermission } = request.routeOptions.config
    for (const permission of [permissionOf(request), alsoPermission ?? null])
      if (permission !== null && !isPermitted(request.operator, permission))
        throw new Forbidden(permission, 'the operator token does not have the permission')
  })
  scope.addHook('preHandler', async ({ routeOptions, query, operator }) => {
    // The order of a list and its cursor tell what it is sorted by.
    const { sort = '', ...given } = query as Record<string, string | undefined>
    const asked = [...Object.keys(given), sort.startsWith('-') ? sort.slice(1) : sort]
    for (const [name, right] of Object.entries(routeOptions.config.rights ?? {}))
      if (asked.includes(name) && !isPermitted(operator, right))
        throw new Forbidden(right, `the operator token does not have the permission for ${name}`)
  })
}

/** @throws NotFound for an organization that the token does not reach, as for one that does not exist */
export const refuseForeign = ({ operator }: FastifyRequest, organizationId: string) => {
  if (!reaches(operator, organizationId)) throw new NotFound('organization')
}

/** @throws Forbidden */
export const refuseLimited = (request: FastifyRequest, detail: string): never => {
  throw new Forbidden(permissionOf(request) ?? everything, detail)
}

/**
 * Keeps tokens that are limited to organizations to these. The ids in the path must have been checked.
 */
export const keepToOrganizations = (scope: FastifyInstance, workspaces: Pick<Workspaces, 'read'>) =>
  scope.addHook('onRequest', async (request) => {
    if (request.is404 || request.operator.organizationIds === null) return
    const { organization_id, workspace_id } = request.params as Record<string, string | undefined>
    if (organization_id !== undefined) return refuseForeign(request, organization_id)
    if (workspace_id !== undefined) {
      const { organizationId } = await workspaces.read(workspace_id)
      if (!reaches(request.operator, organizationId)) throw new NotFound('workspace')
      return
    }
    if (request.routeOptions.config.limited === undefined)
      refuseLimited(request, 'the operator token is limited to organizations')
  })
