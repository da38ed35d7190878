import type { IdentityProviderJson } from '../../http/operator/organizations/identity-providers.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, listed, moment, shown } from '../output.ts'
import { resource } from '../resource.ts'
import { repeated, required, text } from '../setting.ts'

const columns: Column<IdentityProviderJson>[] = [
  ...columnsOf<IdentityProviderJson>(['organization_id', 'organization'], 'issuer'),
  ['apps', ({ client_ids }) => (client_ids === null ? 'all that may' : listed(client_ids))],
  ['keys', (provider) => shown(provider.jwks_uri ?? 'by discovery')],
  ['changed', (provider) => moment(provider.updated_at)],
]

const { put, show, remove } = resource(
  '/organizations/{organization-id}/identity-provider',
  columns,
)

export const identityProvider: Command = {
  name: 'identity-provider',
  summary: 'identity providers whose assertions give apps tokens of members (ID-JAG)',
  actions: [
    put('set', 'Name the identity provider of an organization, or replace it.', {
      settings: {
        issuer: required(text('issuer <uri>', 'the exact issuer of its assertions')),
        client_ids: repeated(
          'app <client-id>',
          'an app that may use its assertions; repeat for more (default: all that may)',
        ),
        jwks_uri: text('jwks-uri <uri>', 'its public keys (default: found by discovery)'),
      },
      notes: ['The app needs `latchkey app update <client-id> --identity-assertions yes` as well.'],
    }),
    show('Show the identity provider of an organization.'),
    remove(
      'Remove the identity provider of an organization; its assertions are refused at once.',
      'remove',
    ),
  ],
}
