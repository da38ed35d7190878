import { Type } from 'typebox'
import type { Apps } from '../../../core/clients/apps.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { appJson, appPatch, appSchema, createdAppSchema, newApp } from './schemas.ts'

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: appSchema,
  one: 'The app.',
  page: 'Apps.',
})
const params = api.pathIds('client_id')

const create = on.create('registerApp', 'Register an app', {
  answer: {
    description: 'The app, and its secret when it is confidential.',
    schema: createdAppSchema,
  },
  body: newApp,
})

const list = on.list('listApps', 'List apps, or find some by their name', {
  querystring: listQuery(['name'], {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A part of the name, in any case.',
    }),
    interface: api.interfaceName,
    reviewed: Type.Boolean(),
    disabled: Type.Boolean(),
  }),
})

const read = on.read('readApp', 'Read an app', { params })

const change = on.change('changeApp', 'Change, disable or enable an app', {
  description:
    'Disabling an app or changing its client type revokes all its grants. A new client type also deletes its ' +
    'secrets and keys.',
  params,
  body: appPatch,
})

const remove = on.remove('deleteApp', 'Delete an app with its secrets, installs and grants', {
  params,
})

/** Registered OAuth clients. */
export const appRoutes = (scope: Scope, { apps }: { apps: Apps }) => {
  scope.post('/apps', create, async (request, reply) => {
    const { app, clientSecret } = await apps.register(fieldsOf(request.body), causeOf(request))
    reply.header('location', `${scope.prefix}/apps/${encodeURIComponent(app.clientId)}`)
    return { ...appJson(app), ...(clientSecret !== null && { client_secret: clientSecret }) }
  })

  scope.get('/apps', list, async ({ query }) => pageJson(await apps.list(readPage(query)), appJson))

  scope.get('/apps/:client_id', read, async ({ params }) =>
    appJson(await apps.read(params.client_id)),
  )

  scope.patch('/apps/:client_id', change, async (request) => {
    const patch = fieldsOf(request.body)
    const { client_id } = request.params
    return appJson(await apps.change(client_id, patch, ...changeOf(request, appJson)))
  })

  scope.delete('/apps/:client_id', remove, async (request) => {
    await apps.remove(request.params.client_id, ...changeOf(request, appJson))
  })
}
