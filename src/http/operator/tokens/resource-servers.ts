import { type Static, Type } from 'typebox'
import { longestUri } from '../../../core/clients/link.ts'
import { mostResources, resourcePattern } from '../../../core/clients/resource-limits.ts'
import type { ResourceServers } from '../../../core/clients/resource-servers.ts'
import type { FeedReaderState, Stops } from '../../../core/introspection/stops.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
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

const resourceServerSchema = api.component('ResourceServer', 'A data API that may introspect.', {
  client_id: api.id,
  name: Type.String(),
  ...limits,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: api.timestamp,
})
export type ResourceServerJson = Static<typeof resourceServerSchema>

const createdResourceServerSchema = api.component(
  'CreatedResourceServer',
  'A data API and its secret.',
  { ...resourceServerSchema.properties, client_secret: api.shownOnce },
)
export type CreatedResourceServerJson = Static<typeof createdResourceServerSchema>

const readerSchema = api.component(
  'FeedReader',
  'A process of a data API that reads the revocation feed.',
  {
    reader: Type.String({ description: 'As the process names itself; empty: it does not.' }),
    last_poll_at: api.timestamp,
    behind: Type.Integer({ description: 'Changes that it has not passed yet.' }),
    library: Type.Optional(Type.String({ description: 'Name and version of its library.' })),
  },
)

export const resourceServerRoutes = (
  scope: Scope,
  { resourceServers, stops }: { resourceServers: ResourceServers; stops: Pick<Stops, 'readers'> },
) => {
  const on = operations(scope, {
    tag: 'resource servers',
    area: 'keys',
    schema: resourceServerSchema,
    one: 'The resource server.',
    page: 'Resource servers.',
    location: ({ client_id }) => `/resource-servers/${client_id}`,
  })
  const path = '/resource-servers/:client_id'

  on.create('/resource-servers', 'registerResourceServer', 'Register a resource server', {
    answer: {
      description: 'The resource server and its secret.',
      schema: createdResourceServerSchema,
    },
    refusals: [409],
    body: api.closed({ name: api.name, ...api.optional(limits), ...api.chosenCredentials }),
    run: async ({ body: { name, clientId, clientSecret: given, ...limits } }, cause) => {
      const chosen = { clientId, clientSecret: given }
      const { server, clientSecret } = await resourceServers.register(name, limits, cause, chosen)
      return { ...on.json(server), client_secret: clientSecret }
    },
  })

  on.list('/resource-servers', 'listResourceServers', 'List resource servers', {
    querystring: listQuery(['name']),
    run: (_call, page) => resourceServers.list(page),
  })

  on.read(path, 'readResourceServer', 'Read a resource server', {
    run: ({ params }) => resourceServers.read(params.clientId),
  })

  const onReaders = operations(scope, {
    ...{ tag: 'resource servers', area: 'keys', schema: readerSchema, one: 'The processes.' },
    json: ({ library, ...one }: FeedReaderState) => ({
      ...{ reader: one.reader, last_poll_at: one.lastPollAt.toISOString(), behind: one.behind },
      ...(library !== null && { library }),
    }),
  } as const)
  onReaders.list(`${path}/readers`, 'listFeedReaders', 'List the processes that read the feed', {
    description: 'In their order, as one page. A process that closes is forgotten.',
    querystring: null,
    run: async ({ params: { clientId } }) => {
      await resourceServers.read(clientId)
      return { items: await stops.readers(clientId), next: null }
    },
  })

  on.change(path, 'changeResourceServer', 'Change the name and the limits of a resource server', {
    description:
      'Effective with its next request. After a change of limits, the revocation feed begins from the start.',
    refusals: [404, 409],
    body: api.changes({ name: api.name, ...limits }),
    run: ({ params, body }, ...context) =>
      resourceServers.change(params.clientId, body, ...context),
  })

  on.remove(
    path,
    'deleteResourceServer',
    'Delete a resource server; its secret is invalid at once',
    { run: ({ params }, ...context) => resourceServers.remove(params.clientId, ...context) },
  )
}
