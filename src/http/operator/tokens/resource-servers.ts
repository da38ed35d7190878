import { type Static, Type } from 'typebox'
import { longestUri } from '../../../core/clients/link.ts'
import { mostResources, resourcePattern } from '../../../core/clients/resource-limits.ts'
import type { ResourceServers } from '../../../core/clients/resource-servers.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import {
  changes,
  closed,
  component,
  id,
  mostPermissions,
  name,
  nullable,
  optional,
  organizationLimit,
  pathIds,
  permissionName,
  shownOnce,
  timestamp,
} from '../schemas.ts'

/** The limits, each null for none. */
const limits = {
  resource: nullable(
    Type.Array(Type.String({ maxLength: longestUri, pattern: resourcePattern }), {
      minItems: 1,
      maxItems: mostResources,
      'x-reason': 'resource',
      description:
        'The audiences (`aud`) of its tokens: absolute URIs without a fragment, each of one resource server, none of them ' +
        'the default audience (`TOKEN_AUDIENCE`). null: the default audience.',
    }),
  ),
  permissions: nullable(
    Type.Array(permissionName, {
      maxItems: mostPermissions,
      description: 'The permissions that it knows; it is not told others. null: all.',
    }),
  ),
  organization_ids: organizationLimit(
    'The organizations that it serves; tokens of others are inactive. null: all.',
  ),
}

const resourceServerFields = {
  client_id: id,
  name: Type.String(),
  ...limits,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: timestamp,
}

export const resourceServerSchema = component(
  'ResourceServer',
  'A data API that may introspect.',
  resourceServerFields,
)
export type ResourceServerJson = Static<typeof resourceServerSchema>

export const createdResourceServerSchema = component(
  'CreatedResourceServer',
  'A data API and its secret.',
  { ...resourceServerFields, client_secret: shownOnce },
)
export type CreatedResourceServerJson = Static<typeof createdResourceServerSchema>

const resourceServerJson = jsonOf(resourceServerSchema)

const on = operations({
  tag: 'resource servers',
  area: 'keys',
  schema: 'ResourceServer',
  one: 'The resource server.',
  page: 'Resource servers.',
})
const params = pathIds('client_id')

const create = on.create('registerResourceServer', 'Register a resource server', {
  answer: { description: 'The resource server and its secret.', schema: 'CreatedResourceServer' },
  refusals: [409],
  body: closed({ name, ...optional(limits) }),
})

const list = on.list('listResourceServers', 'List resource servers', {
  querystring: listQuery(['name']),
})

const read = on.read('readResourceServer', 'Read a resource server', { params })

const change = on.change(
  'changeResourceServer',
  'Change the name and the limits of a resource server',
  {
    description:
      'Effective with its next request. After a change of limits, the revocation feed begins from the start.',
    refusals: [404, 409],
    params,
    body: changes({ name, ...limits }),
  },
)

const remove = on.remove(
  'deleteResourceServer',
  'Delete a resource server; its secret is invalid at once',
  { params },
)

/** Resource servers (data APIs). */
export const resourceServerRoutes = (
  scope: Scope,
  { resourceServers }: { resourceServers: ResourceServers },
) => {
  scope.post('/resource-servers', create, async (request, reply) => {
    const { name, ...limits } = fieldsOf(request.body)
    const cause = causeOf(request)
    const { server, clientSecret } = await resourceServers.register(name, limits, cause)
    reply.header('location', `${scope.prefix}/resource-servers/${server.clientId}`)
    return { ...resourceServerJson(server), client_secret: clientSecret }
  })

  scope.get('/resource-servers', list, async ({ query }) =>
    pageJson(await resourceServers.list(readPage(query)), resourceServerJson),
  )

  scope.get('/resource-servers/:client_id', read, async ({ params }) =>
    resourceServerJson(await resourceServers.read(params.client_id)),
  )

  scope.patch('/resource-servers/:client_id', change, async (request) => {
    const patch = fieldsOf(request.body)
    const context = changeOf(request, resourceServerJson)
    return resourceServerJson(
      await resourceServers.change(request.params.client_id, patch, ...context),
    )
  })

  scope.delete('/resource-servers/:client_id', remove, async (request) => {
    await resourceServers.remove(request.params.client_id, ...changeOf(request, resourceServerJson))
  })
}
