import { type Static, Type } from 'typebox'
import type { AppSecrets } from '../../core/clients/app-secrets.ts'
import type { Secret } from '../../core/credentials/secrets.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, pathIds, rotation, secretFields } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const secretSchema = Type.Object(secretFields, {
  $id: 'Secret',
  description: 'An active secret, without its value.',
})
export type SecretJson = Static<typeof secretSchema>

export const createdSecretSchema = Type.Object(
  { ...secretFields, client_secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedSecret', description: 'A new secret.' },
)
export type CreatedSecretJson = Static<typeof createdSecretSchema>

export const secretJson = jsonOf(secretSchema)
const tagOf = (secret: Secret) => etagOf(secretJson(secret))

const tag = 'apps'
const params = pathIds('client_id')

const appRotation = closed({
  ...rotation.properties,
  end_tokens: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Revoke all grants and access tokens of the app at once, for a secret that others may know. Users have to ' +
        'authorize the app again.',
    }),
  ),
})

const create = operation(
  {
    id: 'createAppSecret',
    tag,
    permission: 'apps:write',
    summary: 'Make a new secret',
    description: 'At most two secrets are active at once.',
    answer: { status: 201, description: 'The secret.', schema: reference('CreatedSecret') },
    refusals: [404, 409],
  },
  { params, body: appRotation },
)

const list = operation(
  {
    id: 'listAppSecrets',
    tag,
    permission: 'apps:read',
    summary: 'List the active secrets of an app',
    answer: { status: 200, description: 'Secrets.', schema: pageOf(reference('Secret')) },
    refusals: [404],
  },
  { params, querystring: pageQuery },
)

const remove = operation(
  {
    id: 'deleteAppSecret',
    conditional: true,
    tag,
    permission: 'apps:write',
    summary: 'Delete a secret; it is invalid at once',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params: pathIds('client_id', 'secret_id') },
)

/** Secrets of confidential apps. */
export const appSecretRoutes = (scope: OperatorScope, secrets: AppSecrets) => {
  scope.post('/apps/:client_id/secrets', create, async (request, reply) => {
    const { client_id } = request.params
    const chosen = {
      retireOthersAfter: request.body.retire_others_after_seconds ?? 0,
      endTokens: request.body.end_tokens ?? false,
    }
    const { clientSecret, ...secret } = await secrets.create(client_id, chosen, causeOf(request))
    reply.code(201)
    return { ...secretJson(secret), client_secret: clientSecret }
  })

  scope.get('/apps/:client_id/secrets', list, async ({ params, query }) =>
    pageJson(await secrets.list(params.client_id, readPage(query)), secretJson),
  )

  scope.delete('/apps/:client_id/secrets/:secret_id', remove, async (request, reply) => {
    const { client_id, secret_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    await secrets.remove(client_id, secret_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
