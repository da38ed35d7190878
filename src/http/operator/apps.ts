import { Type } from 'typebox'
import type { Apps, RegisteredApp } from '../../core/clients/apps.ts'
import { appPatch, appSchema, newApp } from './app-schemas.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageParameters, readPage } from './paging.ts'
import { closed, pathIds } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const appJson = jsonOf(appSchema)
const tagOf = (app: RegisteredApp) => etagOf(appJson(app))

const tag = 'apps'
const params = pathIds('client_id')
const answer = { status: 200, description: 'The app.', schema: reference('App') } as const

const create = operation(
  {
    id: 'registerApp',
    tag,
    permission: 'apps:write',
    summary: 'Register an app',
    answer: {
      status: 201,
      description: 'The app, and its secret when it is confidential.',
      schema: reference('CreatedApp'),
    },
  },
  { body: newApp },
)

const list = operation(
  {
    id: 'listApps',
    tag,
    permission: 'apps:read',
    limited: 'shared',
    summary: 'List apps, or find some by their name',
    answer: { status: 200, description: 'Apps.', schema: pageOf(reference('App')) },
  },
  {
    querystring: closed({
      ...pageParameters,
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'A part of the name, in any case.',
        }),
      ),
      reviewed: Type.Optional(Type.Boolean()),
    }),
  },
)

const read = operation(
  {
    id: 'readApp',
    tag,
    permission: 'apps:read',
    limited: 'shared',
    summary: 'Read an app',
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeApp',
    conditional: true,
    tag,
    permission: 'apps:write',
    summary: 'Change, disable or enable an app',
    description:
      'Disabling an app or changing its client type revokes all its grants. A new client type also deletes its ' +
      'secrets and keys.',
    answer,
    refusals: [404],
  },
  { params, body: appPatch },
)

const remove = operation(
  {
    id: 'deleteApp',
    conditional: true,
    tag,
    permission: 'apps:write',
    summary: 'Delete an app with its secrets, installs and grants',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

/** Registered OAuth clients. */
export const appRoutes = (scope: OperatorScope, apps: Apps) => {
  scope.post('/apps', create, async (request, reply) => {
    const { app, clientSecret } = await apps.register(fieldsOf(request.body), causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/apps/${encodeURIComponent(app.clientId)}`)
    return { ...appJson(app), ...(clientSecret !== null && { client_secret: clientSecret }) }
  })

  scope.get('/apps', list, async ({ query }) => {
    const { name = null, reviewed = null } = query
    return pageJson(await apps.list(readPage(query), { name, reviewed }), appJson)
  })

  scope.get('/apps/:client_id', read, async ({ params }) =>
    appJson(await apps.read(params.client_id)),
  )

  scope.patch('/apps/:client_id', change, async (request) => {
    const patch = fieldsOf(request.body)
    const precondition = preconditionOf(request, tagOf)
    const { client_id } = request.params
    return appJson(await apps.change(client_id, patch, causeOf(request), precondition))
  })

  scope.delete('/apps/:client_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await apps.remove(request.params.client_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
