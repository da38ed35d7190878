import { Type } from 'typebox'
import type { Apps } from '../../../core/clients/apps.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { appPatch, appSchema, createdAppSchema, newApp } from './schemas.ts'

export const appRoutes = (scope: Scope, { apps }: { apps: Apps }) => {
  const on = operations(scope, {
    area: 'apps',
    limited: 'shared',
    schema: appSchema,
    one: 'The app.',
    page: 'Apps.',
    location: ({ client_id }) => `/apps/${encodeURIComponent(client_id)}`,
  })
  const path = '/apps/:client_id'

  on.create('/apps', 'registerApp', 'Register an app', {
    answer: {
      description: 'The app, and its secret when it is confidential.',
      schema: createdAppSchema,
    },
    refusals: [409],
    body: api.closed({
      ...newApp.properties,
      ...api.chosenCredentials,
      without_secret: Type.Optional(Type.Boolean({ description: 'It has no secret yet.' })),
    }),
    run: async ({ body: { withoutSecret, clientId, clientSecret: given, ...draft } }, cause) => {
      const chosen = { clientId, clientSecret: withoutSecret ? null : given }
      const { app, clientSecret } = await apps.register(draft, cause, chosen)
      return { ...on.json(app), ...(clientSecret !== null && { client_secret: clientSecret }) }
    },
  })

  on.list('/apps', 'listApps', 'List apps, or find some by their name', {
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
    run: (_call, page) => apps.list(page),
  })

  on.read(path, 'readApp', 'Read an app', { run: ({ params }) => apps.read(params.clientId) })

  on.change(path, 'changeApp', 'Change, disable or enable an app', {
    description:
      'Disabling an app or changing its client type revokes all its grants. A new client type also deletes its ' +
      'secrets and keys.',
    body: appPatch,
    run: ({ params, body }, ...context) => apps.change(params.clientId, body, ...context),
  })

  on.remove(path, 'deleteApp', 'Delete an app with its secrets, installs and grants', {
    run: ({ params }, ...context) => apps.remove(params.clientId, ...context),
  })
}
