import { type TSchema, Type } from 'typebox'
import type { AppEntries, AppEntry } from '../../../core/clients/app-entries.ts'
import { longestUri } from '../../../core/clients/link.ts'
import { causeOf, changeOf } from '../change.ts'
import { operations, type Scope } from '../operation.ts'
import { pageJson } from '../paging.ts'
import * as api from '../schemas.ts'
import { jwk } from '../tokens/jwks.ts'

const redirectUriSchema = api.component(
  'RedirectUri',
  'A redirect URI of an app. Its id is the same in every app.',
  { id: api.id, redirect_uri: Type.String() },
)

const appPermissionSchema = api.component('AppPermission', 'A permission of an app.', {
  id: Type.String({ description: 'The permission.' }),
  permission: Type.String(),
})

const appKeySchema = api.component('AppKey', 'A public key of an app.', {
  id: Type.String({ description: 'The thumbprint (RFC 7638).' }),
  key: jwk,
})

const params = api.pathIds('client_id')

const redirectUriJson = ({ id, value }: AppEntry<string>) => ({ id, redirect_uri: value })
const permissionJson = ({ id, value }: AppEntry<string>) => ({ id, permission: value })
const keyJson = ({ id, value }: AppEntry<object>) => ({ id, key: value })

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: redirectUriSchema,
  one: 'Added, or present.',
})

const listOf = (id: string, many: string, schema: TSchema) =>
  on.read(id, `List the ${many} of an app`, {
    description: 'In the order of the app, as one page.',
    answer: { description: `The ${many}.`, items: schema },
    params,
  })

const adding = (schema: TSchema) =>
  ({
    creates: true,
    description: 'The others stay. The answer is 200 when the app has it already.',
    answer: { description: 'Added, or present.', schema },
    params,
  }) as const

const removing = { answer: { description: 'Removed.' }, refusals: [404, 409] } as const

const listUris = listOf('listRedirectUris', 'redirect URIs', redirectUriSchema)
const addUri = on.act('addRedirectUri', 'Add a redirect URI to an app', {
  ...adding(redirectUriSchema),
  body: api.closed({ redirect_uri: Type.String({ minLength: 1, maxLength: longestUri }) }),
})
const removeUri = on.remove('removeRedirectUri', 'Remove a redirect URI of an app', {
  ...removing,
  description: 'The last one is a conflict.',
  params: api.pathIds('client_id', 'redirect_uri_id'),
})

const listPermissions = listOf('listAppPermissions', 'permissions', appPermissionSchema)
const addPermission = on.act('addAppPermission', 'Add a permission to an app', {
  ...adding(appPermissionSchema),
  body: api.closed({ permission: api.permissionName }),
})
const removePermission = on.remove('removeAppPermission', 'Remove a permission of an app', {
  ...removing,
  params: Type.Object({ ...params.properties, name: api.permissionName }),
})

const listKeys = listOf('listAppKeys', 'keys', appKeySchema)
const addKey = on.act('addAppKey', 'Add a public key to an app', {
  ...adding(appKeySchema),
  body: api.closed({ key: jwk }),
})
const removeKey = on.remove('removeAppKey', 'Remove a public key of an app', {
  ...removing,
  params: api.pathIds('client_id', 'key_id'),
})

const path = '/apps/:client_id'

/** Redirect URIs, permissions and keys of apps, one by one. */
export const appEntryRoutes = (scope: Scope, { appEntries }: { appEntries: AppEntries }) => {
  const { redirectUris, permissions, keys } = appEntries

  scope.get(`${path}/redirect-uris`, listUris, async ({ params }) =>
    pageJson({ items: await redirectUris.list(params.client_id), next: null }, redirectUriJson),
  )
  scope.post(`${path}/redirect-uris`, addUri, async (request, reply) => {
    const { params, body } = request
    const put = await redirectUris.add(params.client_id, body.redirect_uri, causeOf(request))
    if (put.created) reply.code(201)
    return redirectUriJson(put.item)
  })
  scope.delete(`${path}/redirect-uris/:redirect_uri_id`, removeUri, async (request) => {
    const { client_id: clientId, redirect_uri_id: id } = request.params
    await redirectUris.remove({ clientId, id }, ...changeOf(request, redirectUriJson))
  })

  scope.get(`${path}/permissions`, listPermissions, async ({ params }) =>
    pageJson({ items: await permissions.list(params.client_id), next: null }, permissionJson),
  )
  scope.post(`${path}/permissions`, addPermission, async (request, reply) => {
    const { params, body } = request
    const put = await permissions.add(params.client_id, body.permission, causeOf(request))
    if (put.created) reply.code(201)
    return permissionJson(put.item)
  })
  scope.delete(`${path}/permissions/:name`, removePermission, async (request) => {
    const { client_id: clientId, name: id } = request.params
    await permissions.remove({ clientId, id }, ...changeOf(request, permissionJson))
  })

  scope.get(`${path}/keys`, listKeys, async ({ params }) =>
    pageJson({ items: await keys.list(params.client_id), next: null }, keyJson),
  )
  scope.post(`${path}/keys`, addKey, async (request, reply) => {
    const { params, body } = request
    const put = await keys.add(params.client_id, body.key, causeOf(request))
    if (put.created) reply.code(201)
    return keyJson(put.item)
  })
  scope.delete(`${path}/keys/:key_id`, removeKey, async (request) => {
    const { client_id: clientId, key_id: id } = request.params
    await keys.remove({ clientId, id }, ...changeOf(request, keyJson))
  })
}
