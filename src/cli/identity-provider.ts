import type { IdentityProviderJson } from '../http/operator/identity-providers.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, listed, moment, printDone, printOne, shown } from './output.ts'

const columns: Column<IdentityProviderJson>[] = [
  ['organization', (provider) => provider.organization_id],
  ['issuer', (provider) => provider.issuer],
  ['apps', ({ client_ids }) => (client_ids === null ? 'all that may' : listed(client_ids))],
  ['keys', (provider) => shown(provider.jwks_uri ?? 'by discovery')],
  ['changed', (provider) => moment(provider.updated_at)],
]

const pathOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/identity-provider`

const set = operatorAction({
  name: 'set',
  summary: 'Name the identity provider of an organization, or replace it.',
  positionals: ['organization-id'],
  options: {
    issuer: { value: 'uri', help: 'the exact issuer of its assertions' },
    app: {
      value: 'client-id',
      help: 'an app that may use its assertions; repeat for more (default: all that may)',
      multiple: true,
    },
    'jwks-uri': { value: 'uri', help: 'its public keys (default: found by discovery)' },
  },
  notes: ['The app needs `latchkey app update <client-id> --identity-assertions yes` as well.'],
  run: async (api, input, terminal) => {
    const clientIds = input.values('app')
    const jwksUri = input.text('jwks-uri')
    const body = {
      issuer: input.required('issuer'),
      ...(clientIds && { client_ids: clientIds }),
      ...(jwksUri !== undefined && { jwks_uri: jwksUri }),
    }
    const provider = await api.call<IdentityProviderJson>('PUT', pathOf(input), body)
    printOne(terminal, input, columns, provider)
  },
})

const show = operatorAction({
  name: 'show',
  summary: 'Show the identity provider of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printOne(terminal, input, columns, await api.call<IdentityProviderJson>('GET', pathOf(input))),
})

const remove = operatorAction({
  name: 'remove',
  summary: 'Remove the identity provider of an organization; its assertions are refused at once.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Removed.')
  },
})

export const identityProvider: Command = {
  name: 'identity-provider',
  summary: 'identity providers whose assertions give apps tokens of members (ID-JAG)',
  actions: [set, show, remove],
}
