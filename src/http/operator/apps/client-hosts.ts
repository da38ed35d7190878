import { type Static, Type } from 'typebox'
import { type ClientHosts, hostPolicies } from '../../../core/client-documents/client-hosts.ts'
import { changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { pageJson, pageQuery, readPage } from '../paging.ts'
import { closed, component, oneOf, timestamp } from '../schemas.ts'

const policy = oneOf(hostPolicies, {
  description:
    'review: an unknown app of the host waits for a review when a user comes with it. refuse: its documents are neither read ' +
    'nor imported. Unknown apps of a host without a policy are refused, and can be imported.',
})

export const clientHostSchema = component(
  'ClientHost',
  'The policy for metadata documents of a host.',
  { host: Type.String(), policy, created_at: timestamp, updated_at: timestamp },
)
export type ClientHostJson = Static<typeof clientHostSchema>

const hostJson = jsonOf(clientHostSchema)

const on = operations({
  tag: 'client-hosts',
  area: 'apps',
  limited: 'shared',
  schema: 'ClientHost',
  one: 'The policy.',
  page: 'Policies.',
})
const params = Type.Object({
  host: Type.String({
    pattern: '^[A-Za-z0-9.:\\[\\]_\\-]{1,255}$',
    'x-reason': 'host',
    description: 'In lower case, with its port if that is not 443: `apps.example.com`.',
  }),
})
const checked = 'host'

const put = on.put('putClientHost', 'Set the policy for metadata documents of a host', {
  checked,
  params,
  body: closed({ policy }),
})

const list = on.list('listClientHosts', 'List the hosts with a policy', { querystring: pageQuery })

const read = on.read('readClientHost', 'Read the policy of a host', { checked, params })

const remove = on.remove('removeClientHost', 'Remove the policy of a host; its apps stay', {
  checked,
  answer: { description: 'Removed.' },
  params,
})

const path = '/client-hosts/:host'

/** Hosts of metadata documents. */
export const clientHostRoutes = (scope: Scope, { clientHosts }: { clientHosts: ClientHosts }) => {
  scope.get('/client-hosts', list, async ({ query }) =>
    pageJson(await clientHosts.list(readPage(query)), hostJson),
  )

  scope.get(path, read, async ({ params }) => hostJson(await clientHosts.read(params.host)))

  scope.put(path, put, async (request, reply) => {
    const { host } = request.params
    const context = changeOf(request, hostJson)
    const { item, created } = await clientHosts.put(host, request.body.policy, ...context)
    if (created)
      reply.header('location', `${scope.prefix}/client-hosts/${encodeURIComponent(host)}`)
    return hostJson(item)
  })

  scope.delete(path, remove, async (request) => {
    await clientHosts.remove(request.params.host, ...changeOf(request, hostJson))
  })
}
