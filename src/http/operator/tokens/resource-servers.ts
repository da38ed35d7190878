import { type Static, Type } from 'typebox'
import { longestUri } from '../../../core/clients/link.ts'
import { mostResources, resourcePattern } from '../../../core/clients/resource-limits.ts'
import type { ResourceServers } from '../../../core/clients/resource-servers.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

/** The limits, each null for none. */
const limits = {
  resource: api.nullable(
    Type.Array(Type.String({ maxLength: longestUri, pattern: resourcePattern }), {
      minItems: 1,
      maxItems: mostResources,
      'x-reason': 'resource',
      description:
        'The audiences (`aud`) of its tokens: absolute URIs without a fragment, each of one resource server, none of them ' +
        'the default audience (`TOKEN_AUDIENCE`). null: the default audience.',
    }),
  ),
  permissions: api.nullable(
    Type.Array(api.permissionName, {
      maxItems: api.mostPermissions,
      description: 'The permissions that it knows; it is not told others. null: all.',
    }),
  ),
  organization_ids: api.organizationLimit(
    'The organizations that it serves; tokens of others are inactive. null: all.',
  ),
}

const resourceServerFields = {
  client_id: api.id,
  name: Type.String(),
  ...limits,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: api.timestamp,
}

const resourceServerSchema = api.component(
  'ResourceServer',
  'A data API that may introspect.',
  resourceServerFields,
)
export type ResourceServerJson = Static<typeof resourceServerSchema>

const createdResourceServerSchema = api.component(
  'CreatedResourceServer',
  'A data API and its secret.',
  { ...resourceServerFields, client_secret: api.shownOnce },
)
export type CreatedResourceServerJson = Static<typeof createdResourceServerSchema>

const resourceServerJson = jsonOf(resourceServerSchema)

const on = operations({
  tag: 'resource servers',
  area: 'keys',
  schema: resourceServerSchema,
  one: 'The resource server.',
  page: 'Resource servers.',
})
const params = api.pathIds('client_id')

const create = on.create('registerResourceServer', 'Register a resource server', {
  answer: {
    description: 'The resource server and its secret.',
    schema: createdResourceServerSchema,
  },
  refusals: [409],
  body: api.closed({ name: api.name, ...api.optional(limits) }),
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
    body: api.changes({ name: api.name, ...limits }),
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
