import { type Static, Type } from 'typebox'
import {
  type ClientHost,
  type ClientHosts,
  type HostPolicy,
  hostPolicies,
} from '../../core/client-documents/client-hosts.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const policy = Type.Unsafe<HostPolicy>({
  type: 'string',
  enum: [...hostPolicies],
  description:
    'review: an unknown app of the host waits for a review when a user comes with it. refuse: its documents are neither read ' +
    'nor imported. Unknown apps of a host without a policy are refused, and can be imported.',
})

export const clientHostSchema = Type.Object(
  { host: Type.String(), policy, created_at: timestamp, updated_at: timestamp },
  { $id: 'ClientHost', description: 'The policy for metadata documents of a host.' },
)
export type ClientHostJson = Static<typeof clientHostSchema>

const hostJson = jsonOf(clientHostSchema)
const tagOf = (host: ClientHost) => etagOf(hostJson(host))

const tag = 'client-hosts'
const params = Type.Object({
  host: Type.String({
    pattern: '^[A-Za-z0-9.:\\[\\]_\\-]{1,255}$',
    'x-reason': 'host',
    description: 'In lower case, with its port if that is not 443: `apps.example.com`.',
  }),
})
const checked = 'host'
const clientHost = reference('ClientHost')
const answer = { status: 200, description: 'The policy.', schema: clientHost } as const

const put = operation(
  {
    id: 'putClientHost',
    conditional: true,
    creates: true,
    checked,
    tag,
    permission: 'apps:write',
    summary: 'Set the policy for metadata documents of a host',
    answer,
    refusals: [404],
  },
  { params, body: closed({ policy }) },
)

const list = operation(
  {
    id: 'listClientHosts',
    tag,
    permission: 'apps:read',
    limited: 'shared',
    summary: 'List the hosts with a policy',
    answer: { status: 200, description: 'Policies.', schema: pageOf(clientHost) },
  },
  { querystring: pageQuery },
)

const read = operation(
  {
    id: 'readClientHost',
    checked,
    tag,
    permission: 'apps:read',
    limited: 'shared',
    summary: 'Read the policy of a host',
    answer,
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'removeClientHost',
    conditional: true,
    checked,
    tag,
    permission: 'apps:write',
    summary: 'Remove the policy of a host; its apps stay',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const path = '/client-hosts/:host'

/** Hosts of metadata documents. */
export const clientHostRoutes = (scope: OperatorScope, hosts: ClientHosts) => {
  scope.get('/client-hosts', list, async ({ query }) =>
    pageJson(await hosts.list(readPage(query)), hostJson),
  )

  scope.get(path, read, async ({ params }) => hostJson(await hosts.read(params.host)))

  scope.put(path, put, async (request, reply) => {
    const { host } = request.params
    const precondition = preconditionOf(request, tagOf)
    const { item, created } = await hosts.put(
      host,
      request.body.policy,
      causeOf(request),
      precondition,
    )
    if (created)
      reply.code(201).header('location', `${scope.prefix}/client-hosts/${encodeURIComponent(host)}`)
    return hostJson(item)
  })

  scope.delete(path, remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await hosts.remove(request.params.host, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
