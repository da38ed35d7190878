import { type TSchema, Type } from 'typebox'
import type { AppEntries, AppEntry, AppEntryList } from '../../../core/clients/app-entries.ts'
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

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: redirectUriSchema,
  one: 'Added, or present.',
})
const params = api.pathIds('client_id')

interface Kind {
  /** In the names of the operations. */
  name: string
  one: string
  many: string
  /** Of the list, below that of the app. */
  path: string
  /** Its parameter in the path of an entry, with its schema. */
  id: Record<string, TSchema>
  schema: TSchema
  /** The member of the body and of the answer, with its schema. */
  value: Record<string, TSchema>
  removal?: string
}

const redirectUris: Kind = {
  ...{ name: 'RedirectUri', one: 'redirect URI', many: 'redirect URIs', path: 'redirect-uris' },
  id: { redirect_uri_id: api.otherId },
  schema: redirectUriSchema,
  value: { redirect_uri: Type.String({ minLength: 1, maxLength: longestUri }) },
  removal: 'The last one is a conflict.',
}

const permissions: Kind = {
  ...{ name: 'AppPermission', one: 'permission', many: 'permissions', path: 'permissions' },
  id: { name: api.permissionName },
  schema: appPermissionSchema,
  value: { permission: api.permissionName },
}

const keys: Kind = {
  ...{ name: 'AppKey', one: 'public key', many: 'keys', path: 'keys' },
  id: { key_id: api.otherId },
  schema: appKeySchema,
  value: { key: jwk },
}

const serveList = <Value>(scope: Scope, list: AppEntryList<Value>, kind: Kind) => {
  const { name, one, many, schema, removal } = kind
  const [[id = ''], [member = '']] = [Object.keys(kind.id), Object.keys(kind.value)]
  const path = `/apps/:client_id/${kind.path}`
  const json = (entry: AppEntry<Value>) => ({ id: entry.id, [member]: entry.value })

  const read = on.read(`list${name}s`, `List the ${many} of an app`, {
    description: 'In the order of the app, as one page.',
    answer: { description: `The ${many}.`, items: schema },
    params,
  })
  const add = on.act(`add${name}`, `Add a ${one} to an app`, {
    creates: true,
    description: 'The others stay. The answer is 200 when the app has it already.',
    answer: { description: 'Added, or present.', schema },
    params,
    body: api.closed(kind.value),
  })
  const remove = on.remove(`remove${name}`, `Remove a ${one} of an app`, {
    answer: { description: 'Removed.' },
    refusals: [404, 409],
    ...(removal !== undefined && { description: removal }),
    params: Type.Object({ ...params.properties, ...kind.id }),
  })

  scope.get(path, read, async ({ params }) =>
    pageJson({ items: await list.list(params.client_id), next: null }, json),
  )
  scope.post(path, add, async (request, reply) => {
    const value = (request.body as Record<string, unknown>)[member] as Value
    const put = await list.add(request.params.client_id, value, causeOf(request))
    if (put.created) reply.code(201)
    return json(put.item)
  })
  scope.delete(`${path}/:${id}`, remove, async (request) => {
    const ids = request.params as Record<string, string>
    const key = { clientId: ids.client_id ?? '', id: ids[id] ?? '' }
    await list.remove(key, ...changeOf(request, json))
  })
}

/** Redirect URIs, permissions and keys of apps, one by one. */
export const appEntryRoutes = (scope: Scope, { appEntries }: { appEntries: AppEntries }) => {
  serveList(scope, appEntries.redirectUris, redirectUris)
  serveList(scope, appEntries.permissions, permissions)
  serveList(scope, appEntries.keys, keys)
}
