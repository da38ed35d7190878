import { Type } from 'typebox'
import type { AppEntries, AppEntry } from '../../core/clients/app-entries.ts'
import { longestUri } from '../../core/clients/link.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jwk } from './jwks.ts'
import { operation, reference } from './operation.ts'
import { pageOf } from './paging.ts'
import { closed, id, pathIds, permissionName } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const redirectUri = Type.String({ minLength: 1, maxLength: longestUri })

export const redirectUriSchema = Type.Object(
  { id, redirect_uri: Type.String() },
  { $id: 'RedirectUri', description: 'A redirect URI of an app. Its id is the same in every app.' },
)

export const appPermissionSchema = Type.Object(
  { id: Type.String({ description: 'The permission.' }), permission: Type.String() },
  { $id: 'AppPermission', description: 'A permission of an app.' },
)

export const appKeySchema = Type.Object(
  { id: Type.String({ description: 'The thumbprint (RFC 7638).' }), key: jwk },
  { $id: 'AppKey', description: 'A public key of an app.' },
)

const tag = 'apps'
const params = pathIds('client_id')

const redirectUriJson = ({ id, value }: AppEntry<string>) => ({ id, redirect_uri: value })
const permissionJson = ({ id, value }: AppEntry<string>) => ({ id, permission: value })
const keyJson = ({ id, value }: AppEntry<object>) => ({ id, key: value })

const listOf = (id: string, what: string, schema: string) =>
  operation(
    {
      id,
      tag,
      permission: 'apps:read',
      limited: 'shared',
      summary: `List the ${what} of an app`,
      description: 'In the order of the app, as one page.',
      answer: { status: 200, description: `The ${what}.`, schema: pageOf(reference(schema)) },
      refusals: [404],
    },
    { params },
  )

const adding = (id: string, what: string, schema: string) =>
  ({
    id,
    tag,
    permission: 'apps:write',
    creates: true,
    summary: `Add ${what} to an app`,
    description: 'The others stay. The answer is 200 when the app has it already.',
    answer: { status: 200, description: 'Added, or present.', schema: reference(schema) },
    refusals: [404],
  }) as const

const removing = (id: string, summary: string, description?: string) =>
  ({
    id,
    conditional: true,
    tag,
    permission: 'apps:write',
    summary,
    ...(description && { description }),
    answer: { status: 204, description: 'Removed.' },
    refusals: [404, 409],
  }) as const

const listUris = listOf('listRedirectUris', 'redirect URIs', 'RedirectUri')
const addUri = operation(adding('addRedirectUri', 'a redirect URI', 'RedirectUri'), {
  params,
  body: closed({ redirect_uri: redirectUri }),
})
const removeUri = operation(
  removing('removeRedirectUri', 'Remove a redirect URI of an app', 'The last one is a conflict.'),
  { params: pathIds('client_id', 'redirect_uri_id') },
)

const listPermissions = listOf('listAppPermissions', 'permissions', 'AppPermission')
const addPermission = operation(adding('addAppPermission', 'a permission', 'AppPermission'), {
  params,
  body: closed({ permission: permissionName }),
})
const removePermission = operation(
  removing('removeAppPermission', 'Remove a permission of an app'),
  { params: Type.Object({ ...params.properties, name: permissionName }) },
)

const listKeys = listOf('listAppKeys', 'keys', 'AppKey')
const addKey = operation(adding('addAppKey', 'a public key', 'AppKey'), {
  params,
  body: closed({ key: jwk }),
})
const removeKey = operation(removing('removeAppKey', 'Remove a public key of an app'), {
  params: pathIds('client_id', 'key_id'),
})

const tagOf =
  <Value>(json: (entry: AppEntry<Value>) => object) =>
  (entry: AppEntry<Value>) =>
    etagOf(json(entry))

const page = <Value, Json>(entries: AppEntry<Value>[], json: (entry: AppEntry<Value>) => Json) => ({
  items: entries.map(json),
  next: null,
})

/** Redirect URIs, permissions and keys of apps, one by one. */
export const appEntryRoutes = (scope: OperatorScope, entries: AppEntries) => {
  const { redirectUris, permissions, keys } = entries

  scope.get('/apps/:client_id/redirect-uris', listUris, async ({ params }) =>
    page(await redirectUris.list(params.client_id), redirectUriJson),
  )
  scope.post('/apps/:client_id/redirect-uris', addUri, async (request, reply) => {
    const { params, body } = request
    const put = await redirectUris.add(params.client_id, body.redirect_uri, causeOf(request))
    reply.code(put.created ? 201 : 200)
    return redirectUriJson(put.item)
  })
  scope.delete(
    '/apps/:client_id/redirect-uris/:redirect_uri_id',
    removeUri,
    async (request, reply) => {
      const { client_id, redirect_uri_id } = request.params
      const precondition = preconditionOf(request, tagOf(redirectUriJson))
      await redirectUris.remove(client_id, redirect_uri_id, causeOf(request), precondition)
      return reply.code(204).send()
    },
  )

  scope.get('/apps/:client_id/permissions', listPermissions, async ({ params }) =>
    page(await permissions.list(params.client_id), permissionJson),
  )
  scope.post('/apps/:client_id/permissions', addPermission, async (request, reply) => {
    const { params, body } = request
    const put = await permissions.add(params.client_id, body.permission, causeOf(request))
    reply.code(put.created ? 201 : 200)
    return permissionJson(put.item)
  })
  scope.delete('/apps/:client_id/permissions/:name', removePermission, async (request, reply) => {
    const { client_id, name } = request.params
    const precondition = preconditionOf(request, tagOf(permissionJson))
    await permissions.remove(client_id, name, causeOf(request), precondition)
    return reply.code(204).send()
  })

  scope.get('/apps/:client_id/keys', listKeys, async ({ params }) =>
    page(await keys.list(params.client_id), keyJson),
  )
  scope.post('/apps/:client_id/keys', addKey, async (request, reply) => {
    const { params, body } = request
    const put = await keys.add(params.client_id, body.key, causeOf(request))
    reply.code(put.created ? 201 : 200)
    return keyJson(put.item)
  })
  scope.delete('/apps/:client_id/keys/:key_id', removeKey, async (request, reply) => {
    const { client_id, key_id } = request.params
    const precondition = preconditionOf(request, tagOf(keyJson))
    await keys.remove(client_id, key_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
