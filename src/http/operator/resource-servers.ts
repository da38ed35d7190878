import { type Static, Type } from 'typebox'
import { longestUri } from '../../core/clients/link.ts'
import { mostResources, resourcePattern } from '../../core/clients/resource-limits.ts'
import type { ResourceServer, ResourceServers } from '../../core/clients/resource-servers.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import {
  changes,
  closed,
  id,
  mostPermissions,
  name,
  nullable,
  otherOrganizationId,
  pathIds,
  permissionName,
  timestamp,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const mostOrganizations = 1000

/** The limits, each null for none. */
const limits = {
  resource: nullable(
    Type.Array(Type.String({ maxLength: longestUri, pattern: resourcePattern }), {
      minItems: 1,
      maxItems: mostResources,
      'x-reason': 'resource',
      description:
        'The audiences (`aud`) of its tokens: absolute URIs without a fragment, each of one resource server. null: the ' +
        'default audience (`TOKEN_AUDIENCE`).',
    }),
  ),
  permissions: nullable(
    Type.Array(permissionName, {
      maxItems: mostPermissions,
      description: 'The permissions that it knows; it is not told others. null: all.',
    }),
  ),
  organization_ids: nullable(
    Type.Array(otherOrganizationId, {
      minItems: 1,
      maxItems: mostOrganizations,
      description: 'The organizations that it serves; tokens of others are inactive. null: all.',
    }),
  ),
}

const resourceServerFields = {
  client_id: id,
  name: Type.String(),
  ...limits,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: timestamp,
}

export const resourceServerSchema = Type.Object(resourceServerFields, {
  $id: 'ResourceServer',
  description: 'A data API that may introspect.',
})
export type ResourceServerJson = Static<typeof resourceServerSchema>

export const createdResourceServerSchema = Type.Object(
  { ...resourceServerFields, client_secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedResourceServer', description: 'A data API and its secret.' },
)
export type CreatedResourceServerJson = Static<typeof createdResourceServerSchema>

const resourceServerJson = jsonOf(resourceServerSchema)

const tag = 'resource servers'
const params = pathIds('client_id')
const resourceServer = reference('ResourceServer')

const create = operation(
  {
    id: 'registerResourceServer',
    tag,
    permission: 'keys:write',
    summary: 'Register a resource server',
    answer: {
      status: 201,
      description: 'The resource server and its secret.',
      schema: reference('CreatedResourceServer'),
    },
    refusals: [409],
  },
  {
    body: closed({
      name,
      resource: Type.Optional(limits.resource),
      permissions: Type.Optional(limits.permissions),
      organization_ids: Type.Optional(limits.organization_ids),
    }),
  },
)

const list = operation(
  {
    id: 'listResourceServers',
    tag,
    permission: 'keys:read',
    summary: 'List resource servers',
    answer: { status: 200, description: 'Resource servers.', schema: pageOf(resourceServer) },
  },
  { querystring: pageQuery },
)

const read = operation(
  {
    id: 'readResourceServer',
    tag,
    permission: 'keys:read',
    summary: 'Read a resource server',
    answer: { status: 200, description: 'The resource server.', schema: resourceServer },
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeResourceServer',
    conditional: true,
    tag,
    permission: 'keys:write',
    summary: 'Change the name and the limits of a resource server',
    description:
      'Effective with its next request. After a change of limits, the revocation feed begins from the start.',
    answer: { status: 200, description: 'The resource server.', schema: resourceServer },
    refusals: [404, 409],
  },
  { params, body: changes({ name, ...limits }) },
)

const remove = operation(
  {
    id: 'deleteResourceServer',
    conditional: true,
    tag,
    permission: 'keys:write',
    summary: 'Delete a resource server; its secret is invalid at once',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

const tagOf = (server: ResourceServer) => etagOf(resourceServerJson(server))

/** Resource servers (data APIs). */
export const resourceServerRoutes = (scope: OperatorScope, resourceServers: ResourceServers) => {
  scope.post('/resource-servers', create, async (request, reply) => {
    const { name, ...limits } = fieldsOf(request.body)
    const cause = causeOf(request)
    const { server, clientSecret } = await resourceServers.register(name, limits, cause)
    reply.code(201).header('location', `${scope.prefix}/resource-servers/${server.clientId}`)
    return { ...resourceServerJson(server), client_secret: clientSecret }
  })

  scope.get('/resource-servers', list, async ({ query }) =>
    pageJson(await resourceServers.list(readPage(query)), resourceServerJson),
  )

  scope.get('/resource-servers/:client_id', read, async ({ params }) =>
    resourceServerJson(await resourceServers.read(params.client_id)),
  )

  scope.patch('/resource-servers/:client_id', change, async (request) => {
    const { params, body } = request
    const precondition = preconditionOf(request, tagOf)
    return resourceServerJson(
      await resourceServers.change(
        params.client_id,
        fieldsOf(body),
        causeOf(request),
        precondition,
      ),
    )
  })

  scope.delete('/resource-servers/:client_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await resourceServers.remove(request.params.client_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
