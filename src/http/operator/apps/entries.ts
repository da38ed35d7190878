import { type TObject, type TSchema, Type } from 'typebox'
import type { AppEntries, AppEntry, AppEntryList } from '../../../core/clients/app-entries.ts'
import { longestUri } from '../../../core/clients/link.ts'
import { operations, type Scope } from '../operations.ts'
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

interface Kind {
  /** In the names of the operations. */
  name: string
  one: string
  many: string
  /** Of the list, below that of the app. */
  path: string
  /** Its parameter in the path of an entry, with its schema. */
  id: Record<string, TSchema>
  schema: TObject
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
  const path = `/apps/:client_id/${kind.path}` as '/apps/:client_id/entries'
  const on = operations(scope, {
    area: 'apps',
    limited: 'shared',
    schema,
    one: 'Added, or present.',
    page: `The ${many}.`,
    json: (entry: AppEntry<Value>) => ({ id: entry.id, [member]: entry.value }),
  })

  on.list(path, `list${name}s`, `List the ${many} of an app`, {
    description: 'In the order of the app, as one page.',
    querystring: null,
    run: async ({ params }) => ({ items: await list.list(params.clientId), next: null }),
  })
  on.act(path, `add${name}`, `Add a ${one} to an app`, {
    creates: true,
    description: 'The others stay. The answer is 200 when the app has it already.',
    body: api.closed(kind.value),
    run: async ({ params, request, reply }, cause) => {
      const value = (request.body as Record<string, unknown>)[member] as Value
      const { item, created } = await list.add(params.clientId, value, cause)
      if (created) reply.code(201)
      return on.json(item)
    },
  })
  on.remove(`${path}/:${id}`, `remove${name}`, `Remove a ${one} of an app`, {
    answer: { description: 'Removed.' },
    refusals: [404, 409],
    ...(removal !== undefined && { description: removal }),
    params: Type.Object({ ...api.pathIds('client_id').properties, ...kind.id }),
    run: ({ request }, ...context) => {
      const ids = request.params as Record<string, string>
      return list.remove({ clientId: ids.client_id ?? '', id: ids[id] ?? '' }, ...context)
    },
  })
}

/** Redirect URIs, permissions and keys of apps, one by one. */
export const appEntryRoutes = (scope: Scope, { appEntries }: { appEntries: AppEntries }) => {
  serveList(scope, appEntries.redirectUris, redirectUris)
  serveList(scope, appEntries.permissions, permissions)
  serveList(scope, appEntries.keys, keys)
}
