import { type Static, Type } from 'typebox'
import { longestUri } from '../../core/clients/link.ts'
import {
  type IdentityProvider,
  type IdentityProviders,
  mostClientIds,
} from '../../core/organizations/identity-providers.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { closed, id, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const issuer = Type.String({
  minLength: 1,
  maxLength: longestUri,
  'x-reason': 'issuer',
  description: 'The exact `iss` of its assertions: https, without query and fragment.',
})
const clientIds = nullable(
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: longestUri,
      pattern: '^[\\x21-\\x7e]+$',
      'x-reason': 'unknown_app',
    }),
    {
      maxItems: mostClientIds,
      uniqueItems: true,
      description:
        'The apps that may use its assertions. null: every installed app with `identity_assertions`.',
    },
  ),
)
const jwksUri = nullable(
  Type.String({
    minLength: 1,
    maxLength: longestUri,
    'x-reason': 'jwks_uri',
    description: 'The address of its public keys. null: found by discovery from the issuer.',
  }),
)

export const identityProviderSchema = Type.Object(
  {
    organization_id: id,
    issuer: Type.String(),
    client_ids: nullable(Type.Array(Type.String())),
    jwks_uri: nullable(Type.String()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  {
    $id: 'IdentityProvider',
    description: 'The identity provider of an organization, whose assertions give user tokens.',
  },
)
export type IdentityProviderJson = Static<typeof identityProviderSchema>

const providerJson = jsonOf(identityProviderSchema)
const tagOf = (provider: IdentityProvider) => etagOf(providerJson(provider))

const tag = 'organizations'
const params = pathIds('organization_id')
const answer = {
  status: 200,
  description: 'The identity provider.',
  schema: reference('IdentityProvider'),
} as const

const read = operation(
  {
    id: 'readIdentityProvider',
    tag,
    permission: 'organizations:read',
    summary: 'Read the identity provider of an organization',
    answer,
    refusals: [404],
  },
  { params },
)

const put = operation(
  {
    id: 'putIdentityProvider',
    conditional: true,
    creates: true,
    tag,
    permission: 'organizations:write',
    summary: 'Name the identity provider of an organization, or replace it',
    description:
      'Its assertions (ID-JAG) give apps with `identity_assertions` tokens of members without a page, within the install.',
    answer,
    refusals: [404],
  },
  {
    params,
    body: closed({
      issuer,
      client_ids: Type.Optional(clientIds),
      jwks_uri: Type.Optional(jwksUri),
    }),
  },
)

const remove = operation(
  {
    id: 'deleteIdentityProvider',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Remove the identity provider of an organization; its assertions are refused at once',
    description: 'Access tokens that assertions gave stay valid until they expire.',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const path = '/organizations/:organization_id/identity-provider'

/** Identity providers of organizations. */
export const identityProviderRoutes = (scope: OperatorScope, providers: IdentityProviders) => {
  scope.get(path, read, async ({ params }) =>
    providerJson(await providers.read(params.organization_id)),
  )

  scope.put(path, put, async (request, reply) => {
    const { organization_id } = request.params
    const { issuer, client_ids: clientIds = null, jwks_uri: jwksUri = null } = request.body
    const settings = { issuer, clientIds, jwksUri }
    const precondition = preconditionOf(request, tagOf)
    const { item, created } = await providers.put(
      organization_id,
      settings,
      causeOf(request),
      precondition,
    )
    if (created) reply.code(201)
    return providerJson(item)
  })

  scope.delete(path, remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await providers.remove(request.params.organization_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
