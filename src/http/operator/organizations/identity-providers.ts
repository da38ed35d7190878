import { type Static, Type } from 'typebox'
import { longestUri } from '../../../core/clients/link.ts'
import {
  type IdentityProviders,
  mostClientIds,
} from '../../../core/organizations/identity-providers.ts'
import { operations, type Scope } from '../operations.ts'
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

export const identityProviderRoutes = (
  scope: Scope,
  { identityProviders }: { identityProviders: IdentityProviders },
) => {
  const on = operations(scope, {
    area: 'organizations',
    schema: identityProviderSchema,
    one: 'The identity provider.',
  })
  const path = '/organizations/:organization_id/identity-provider'

  on.read(path, 'readIdentityProvider', 'Read the identity provider of an organization', {
    run: ({ params }) => identityProviders.read(params.organizationId),
  })

  on.put(
    path,
    'putIdentityProvider',
    'Name the identity provider of an organization, or replace it',
    {
      description:
        'Its assertions (ID-JAG) give apps with `identity_assertions` tokens of members without a page, within the install.',
      body: api.closed({ issuer, ...api.optional({ client_ids: clientIds, jwks_uri: jwksUri }) }),
      run: async ({ params, body }, ...context) => {
        const { issuer, clientIds = null, jwksUri = null } = body
        const settings = { issuer, clientIds, jwksUri }
        return (await identityProviders.put(params.organizationId, settings, ...context)).item
      },
    },
  )

  on.remove(
    path,
    'deleteIdentityProvider',
    'Remove the identity provider of an organization; its assertions are refused at once',
    {
      description: 'Access tokens that assertions gave stay valid until they expire.',
      answer: { description: 'Removed.' },
      run: ({ params }, ...context) => identityProviders.remove(params.organizationId, ...context),
    },
  )
}
