import { Type } from 'typebox'
import type { ResourceServers } from '../../core/clients/resource-servers.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, id, name, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const resourceServerFields = {
  client_id: id,
  name: Type.String(),
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: timestamp,
}

export const resourceServerSchema = Type.Object(resourceServerFields, {
  $id: 'ResourceServer',
  description: 'A data API that may introspect.',
})

export const createdResourceServerSchema = Type.Object(
  { ...resourceServerFields, client_secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedResourceServer', description: 'A data API and its secret.' },
)

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
  },
  { body: closed({ name }) },
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

const remove = operation(
  {
    id: 'deleteResourceServer',
    tag,
    permission: 'keys:write',
    summary: 'Delete a resource server; its secret is invalid at once',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

/** Resource servers (data APIs). */
export const resourceServerRoutes = (scope: OperatorScope, resourceServers: ResourceServers) => {
  scope.post('/resource-servers', create, async (request, reply) => {
    const { name } = request.body
    const { server, clientSecret } = await resourceServers.register(name, causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/resource-servers/${server.clientId}`)
    return { ...resourceServerJson(server), client_secret: clientSecret }
  })

  scope.get('/resource-servers', list, async ({ query }) =>
    pageJson(await resourceServers.list(readPage(query)), resourceServerJson),
  )

  scope.get('/resource-servers/:client_id', read, async ({ params }) =>
    resourceServerJson(await resourceServers.read(params.client_id)),
  )

  scope.delete('/resource-servers/:client_id', remove, async (request, reply) => {
    await resourceServers.remove(request.params.client_id, causeOf(request))
    return reply.code(204).send()
  })
}
