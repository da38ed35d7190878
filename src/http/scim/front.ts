/** SCIM 2.0 for identity providers (RFC 7643, 7644): users and groups of one organization. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { ScimError } from '../../core/provisioning/scim-error.ts'
import { byGroup, type ScimGroups } from '../../core/provisioning/scim-groups.ts'
import type { ScimUsers } from '../../core/provisioning/scim-users.ts'
import { createTurns } from '../../core/provisioning/turns.ts'
import { allowOthers } from '../server/allowed-methods.ts'
import { listOf, sendResource, sendScimError } from './answers.ts'
import { providerConfig, resourceTypes, schemas } from './discovery.ts'
import { causeOf, type GuardOptions, guard } from './guard.ts'
import {
  acceptScimJson,
  asksForAttributes,
  checkBody,
  listQuery,
  searchIn,
  selection,
  textIn,
} from './input.ts'
import { groupResource, prefix, type Resource, selected, userResource } from './resources.ts'

export interface ScimFrontOptions extends GuardOptions {
  issuer: string
  users: ScimUsers
  groups: ScimGroups
}

/**
 * One request of an organization runs at a time in a process, from the last byte of its body to the first of its answer:
 * neither a slow sender nor a slow reader holds the turn.
 */
const takeTurns = (scope: FastifyInstance, { limits }: ScimFrontOptions) => {
  const turns = createTurns()
  const ends = new WeakMap<FastifyRequest, () => void>()
  scope.addHook('preHandler', async (request) => {
    const { provider, method, body, query, url } = request
    ends.set(request, await turns(provider.organizationId))
    await checkBody(query)
    const listed = await checkBody(body)
    const isRead = method === 'GET' || method === 'HEAD' || url.split('?')[0]?.endsWith('/.search')
    // Each member that a body lists may become an audit event.
    if (!isRead) await limits.provisioned(provider.organizationId, 1 + listed)
  })
  for (const hook of ['onSend', 'onResponse'] as const)
    scope.addHook(hook, async (request: FastifyRequest) => ends.get(request)?.())
}

/** @throws ScimError 404 for a text that cannot be an id */
const idIn = ({ params }: FastifyRequest): string => {
  const { id } = params as { id: string }
  if (!isIdShaped(id)) throw new ScimError(404, null, 'there is no such resource')
  return id
}

/** A list, by its query or by the body of a search (RFC 7644 §3.4.3). */
const serveList = (
  scope: FastifyInstance,
  path: string,
  found: (request: FastifyRequest, query: unknown) => Promise<Resource>,
) => {
  scope.get(path, async (request, reply) =>
    sendResource(reply, 200, await found(request, request.query)),
  )
  scope.post(`${path}/.search`, async (request, reply) =>
    sendResource(reply, 200, await found(request, searchIn(request))),
  )
}

const userRoutes = (scope: FastifyInstance, { issuer, users }: ScimFrontOptions) => {
  const resourceOf = userResource(issuer)
  const organizationOf = ({ provider }: FastifyRequest) => provider.organizationId

  scope.post('/Users', async (request, reply) => {
    const chosen = selection(request)
    const user = await users.add(request.provider, request.body, causeOf(request))
    reply.header('location', `${issuer}${prefix}/Users/${user.id}`)
    return sendResource(reply, 201, selected(resourceOf(user), chosen))
  })

  const found = async ({ provider }: FastifyRequest, query: unknown): Promise<Resource> => {
    const { filter, start, count } = listQuery(query)
    const chosen = selection({ query })
    const page = await users.list(provider.organizationId, filter, { start, count })
    const resources = page.resources.map((user) => selected(resourceOf(user), chosen))
    return listOf(resources, page.total, start)
  }

  serveList(scope, '/Users', found)

  scope.get('/Users/:id', async (request, reply) => {
    const user = await users.read(organizationOf(request), idIn(request))
    return sendResource(reply, 200, selected(resourceOf(user), selection(request)))
  })

  for (const [method, change] of [
    ['PUT', users.replace],
    ['PATCH', users.patch],
  ] as const) {
    scope.route({
      method,
      url: '/Users/:id',
      handler: async (request, reply) => {
        const id = idIn(request)
        const chosen = selection(request)
        const user = await change(request.provider, id, request.body, causeOf(request))
        return sendResource(reply, 200, selected(resourceOf(user), chosen))
      },
    })
  }

  scope.delete('/Users/:id', async (request, reply) => {
    await users.remove(organizationOf(request), idIn(request), causeOf(request))
    return reply.code(204).send()
  })
}

const groupRoutes = (scope: FastifyInstance, { issuer, groups, limits }: ScimFrontOptions) => {
  /** "Remove all members" lists none, and changes many. */
  const counted = async ({ provider }: FastifyRequest, change: Promise<{ unlisted: number }>) =>
    limits.alsoProvisioned(provider.organizationId, (await change).unlisted)

  const whole = async (request: FastifyRequest, id: string, chosen = selection(request)) => {
    const { group, members } = await groups.read(request.provider, id, chosen.includes('members'))
    return selected(groupResource(issuer, group, members), chosen)
  }

  scope.post('/Groups', async (request, reply) => {
    const chosen = selection(request)
    const { id } = await groups.add(request.provider, request.body, causeOf(request))
    reply.header('location', `${issuer}${prefix}/Groups/${id}`)
    return sendResource(reply, 201, await whole(request, id, chosen))
  })

  const found = async ({ provider }: FastifyRequest, query: unknown): Promise<Resource> => {
    const { filter, start, count } = listQuery(query)
    const chosen = selection({ query })
    const withMembers = chosen.includes('members')
    const page = await groups.list(provider, filter, { start, count, withMembers })
    const membersOf = page.members && byGroup(page.members)
    const resources = page.groups.map((group) =>
      selected(groupResource(issuer, group, membersOf && (membersOf.get(group.id) ?? [])), chosen),
    )
    return listOf(resources, page.total, start)
  }

  serveList(scope, '/Groups', found)

  scope.get('/Groups/:id', async (request, reply) =>
    sendResource(reply, 200, await whole(request, idIn(request))),
  )

  scope.put('/Groups/:id', async (request, reply) => {
    const id = idIn(request)
    const chosen = selection(request)
    await counted(request, groups.replace(request.provider, id, request.body, causeOf(request)))
    return sendResource(reply, 200, await whole(request, id, chosen))
  })

  // Without the group, because it may be large, unless the client says what it wants of it (RFC 7644 §3.5.2).
  scope.patch('/Groups/:id', async (request, reply) => {
    const id = idIn(request)
    const chosen = asksForAttributes(request) ? selection(request) : null
    await counted(request, groups.patch(request.provider, id, request.body, causeOf(request)))
    return chosen
      ? sendResource(reply, 200, await whole(request, id, chosen))
      : reply.code(204).send()
  })

  scope.delete('/Groups/:id', async (request, reply) => {
    await groups.remove(request.provider, idIn(request), causeOf(request))
    return reply.code(204).send()
  })
}

const discoveryRoutes = (scope: FastifyInstance, issuer: string) => {
  scope.get('/ServiceProviderConfig', async (_request, reply) =>
    sendResource(reply, 200, providerConfig(issuer)),
  )
  for (const [path, resources] of [
    ['/ResourceTypes', resourceTypes(issuer)],
    ['/Schemas', schemas(issuer)],
  ] as const) {
    scope.get(path, async (request, reply) => {
      // RFC 7644 §4: these cannot be filtered.
      if (textIn(request.query, 'filter') !== undefined)
        throw new ScimError(403, null, 'this list cannot be filtered')
      return sendResource(reply, 200, listOf(resources, resources.length, 0))
    })
    scope.get(`${path}/:id`, async ({ params }, reply) => {
      const { id } = params as { id: string }
      const found = resources.find((one) => String(one.id).toLowerCase() === id.toLowerCase())
      if (!found) throw new ScimError(404, null, 'there is no such resource')
      return sendResource(reply, 200, found)
    })
  }
}

const instead = 'ask /Users or /Groups, or their /.search'

/** Optional parts of the protocol that this service does not have (RFC 7644 §3.12, 501), and what to ask instead. */
const absentRoutes = (scope: FastifyInstance) => {
  const absent = (path: string, methods: string[], detail: string) =>
    scope.route({
      method: methods,
      url: path,
      handler: async () => {
        throw new ScimError(501, null, detail)
      },
    })
  // RFC 7644 §3.4.2.1, §3.4.3: a search of all types of resources.
  absent('/', ['GET'], `resources are searched by type only: ${instead}`)
  absent('/.search', ['POST'], `resources are searched by type only: ${instead}`)
  // RFC 7644 §3.11: a token belongs to an organization, not to a user.
  const every = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  absent('/Me', every, 'the token belongs to no user: ask /Users/{id}')
  absent('/Me/*', every, 'the token belongs to no user: ask /Users/{id}')
  absent('/Bulk', ['POST'], 'bulk operations are not supported: send each by itself')
}

/** Served under `/scim/v2`, whatever prefix it is registered with. */
export const scimFront =
  (options: ScimFrontOptions): FastifyPluginAsync =>
  async (app) => {
    const front = async (scope: FastifyInstance) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      scope.setErrorHandler((error, request, reply) => sendScimError(request, reply, error))
      acceptScimJson(scope)
      guard(scope, options)
      takeTurns(scope, options)
      scope.setNotFoundHandler((request, reply) => {
        const isMethod = allowOthers(request, reply)
        const error = isMethod
          ? new ScimError(405, null, 'this path does not support the method')
          : new ScimError(404, null, 'there is nothing here')
        return sendScimError(request, reply, error)
      })
      discoveryRoutes(scope, options.issuer)
      userRoutes(scope, options)
      groupRoutes(scope, options)
      absentRoutes(scope)
    }
    await app.register(front, { prefix })
  }
