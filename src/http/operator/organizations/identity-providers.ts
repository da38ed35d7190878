import { type Static, Type } from 'typebox'
import { longestUri } from '../../../core/clients/link.ts'
import {
  type IdentityProviders,
  mostClientIds,
} from '../../../core/organizations/identity-providers.ts'
import { changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'

const issuer = api.uri(
  'issuer',
  'The exact `iss` of its assertions: https, without query and fragment.',
)
const clientIds = api.nullable(
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
const jwksUri = api.nullable(
  api.uri('jwks_uri', 'The address of its public keys. null: found by discovery from the issuer.'),
)

const identityProviderSchema = api.component(
  'IdentityProvider',
  'The identity provider of an organization, whose assertions give user tokens.',
  {
    organization_id: api.id,
    issuer: Type.String(),
    client_ids: api.nullable(Type.Array(Type.String())),
    jwks_uri: api.nullable(Type.String()),
    created_at: api.timestamp,
    updated_at: api.timestamp,
  },
)
export type IdentityProviderJson = Static<typeof identityProviderSchema>

const providerJson = jsonOf(identityProviderSchema)

const on = operations({
  tag: 'organizations',
  area: 'organizations',
  schema: identityProviderSchema,
  one: 'The identity provider.',
})
const params = api.pathIds('organization_id')

const read = on.read('readIdentityProvider', 'Read the identity provider of an organization', {
  params,
})

const put = on.put(
  'putIdentityProvider',
  'Name the identity provider of an organization, or replace it',
  {
    description:
      'Its assertions (ID-JAG) give apps with `identity_assertions` tokens of members without a page, within the install.',
    params,
    body: api.closed({ issuer, ...api.optional({ client_ids: clientIds, jwks_uri: jwksUri }) }),
  },
)

const remove = on.remove(
  'deleteIdentityProvider',
  'Remove the identity provider of an organization; its assertions are refused at once',
  {
    description: 'Access tokens that assertions gave stay valid until they expire.',
    answer: { description: 'Removed.' },
    params,
  },
)

const path = '/organizations/:organization_id/identity-provider'

/** Identity providers of organizations. */
export const identityProviderRoutes = (
  scope: Scope,
  { identityProviders }: { identityProviders: IdentityProviders },
) => {
  scope.get(path, read, async ({ params }) =>
    providerJson(await identityProviders.read(params.organization_id)),
  )

  scope.put(path, put, async (request) => {
    const { organization_id } = request.params
    const { issuer, client_ids: clientIds = null, jwks_uri: jwksUri = null } = request.body
    const settings = { issuer, clientIds, jwksUri }
    const context = changeOf(request, providerJson)
    const { item } = await identityProviders.put(organization_id, settings, ...context)
    return providerJson(item)
  })

  scope.delete(path, remove, async (request) => {
    await identityProviders.remove(
      request.params.organization_id,
      ...changeOf(request, providerJson),
    )
  })
}
