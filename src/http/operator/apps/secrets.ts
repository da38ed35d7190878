import { type Static, Type } from 'typebox'
import type { AppSecrets } from '../../../core/clients/app-secrets.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
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

export const appSecretRoutes = (scope: Scope, { appSecrets }: { appSecrets: AppSecrets }) => {
  const on = operations(scope, {
    area: 'apps',
    schema: secretSchema,
    one: 'The secret.',
    page: 'Secrets.',
  })
  const path = '/apps/:client_id/secrets'

  on.create(path, 'createAppSecret', 'Make a new secret', {
    description: 'At most two secrets are active at once.',
    answer: { description: 'The secret.', schema: createdSecretSchema },
    refusals: [404, 409],
    body: appRotation,
    run: async ({ params, body }, cause) => {
      const { retireOthersAfterSeconds: retireOthersAfter = 0, endTokens = false } = body
      const rotation = { ...params, retireOthersAfter, endTokens }
      const { clientSecret, ...secret } = await appSecrets.create(rotation, cause)
      return { ...secretJson(secret), client_secret: clientSecret }
    },
  })

  on.list(path, 'listAppSecrets', 'List the active secrets of an app', {
    run: ({ params }, page) => appSecrets.list(params.clientId, page),
  })

  on.remove(`${path}/:secret_id`, 'deleteAppSecret', 'Delete a secret; it is invalid at once', {
    run: ({ params }, ...context) => appSecrets.remove(params, ...context),
  })
}
