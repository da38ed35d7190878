import { type Static, Type } from 'typebox'
import type { AppSecrets } from '../../../core/clients/app-secrets.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const secretSchema = api.component(
  'Secret',
  'An active secret, without its value.',
  api.secretFields,
)
export type SecretJson = Static<typeof secretSchema>

const createdSecretSchema = api.component('CreatedSecret', 'A new secret.', {
  ...api.secretFields,
  client_secret: api.shownOnce,
})
export type CreatedSecretJson = Static<typeof createdSecretSchema>

export const secretJson = jsonOf(secretSchema)

const on = operations({
  tag: 'apps',
  area: 'apps',
  schema: secretSchema,
  one: 'The secret.',
  page: 'Secrets.',
})
const params = api.pathIds('client_id')

const appRotation = api.closed({
  ...api.rotation.properties,
  end_tokens: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Revoke all grants and access tokens of the app at once, for a secret that others may know. Users have to ' +
        'authorize the app again.',
    }),
  ),
})

const create = on.create('createAppSecret', 'Make a new secret', {
  description: 'At most two secrets are active at once.',
  answer: { description: 'The secret.', schema: createdSecretSchema },
  refusals: [404, 409],
  params,
  body: appRotation,
})

const list = on.list('listAppSecrets', 'List the active secrets of an app', { params })

const remove = on.remove('deleteAppSecret', 'Delete a secret; it is invalid at once', {
  params: api.pathIds('client_id', 'secret_id'),
})

/** Secrets of confidential apps. */
export const appSecretRoutes = (scope: Scope, { appSecrets }: { appSecrets: AppSecrets }) => {
  scope.post('/apps/:client_id/secrets', create, async (request) => {
    const rotation = {
      ...fieldsOf(request.params),
      retireOthersAfter: request.body.retire_others_after_seconds ?? 0,
      endTokens: request.body.end_tokens ?? false,
    }
    const { clientSecret, ...secret } = await appSecrets.create(rotation, causeOf(request))
    return { ...secretJson(secret), client_secret: clientSecret }
  })

  scope.get('/apps/:client_id/secrets', list, async ({ params, query }) =>
    pageJson(await appSecrets.list(params.client_id, readPage(query)), secretJson),
  )

  scope.delete('/apps/:client_id/secrets/:secret_id', remove, async (request) => {
    await appSecrets.remove(fieldsOf(request.params), ...changeOf(request, secretJson))
  })
}
