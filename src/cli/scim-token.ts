import type { CreatedScimTokenJson, ScimTokenJson } from '../http/operator/scim-tokens.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, moment, printDone, printList } from './output.ts'
import { printSecret } from './secrets.ts'

const columns: Column<ScimTokenJson>[] = [
  ['id', (token) => token.id],
  ['name', (token) => token.name],
  ['groups', (token) => token.groups],
  ['hint', (token) => token.hint],
  ['created', (token) => moment(token.created_at)],
  ['last used', (token) => moment(token.last_used_at)],
]

const pathOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/scim-tokens`

const create = operatorAction({
  name: 'create',
  summary: "Create a token for an organization's identity provider (SCIM).",
  positionals: ['organization-id'],
  options: {
    name: { value: 'text', help: 'the identity provider' },
    groups: { value: 'workspaces|roles', help: 'what its groups are (default: workspaces)' },
  },
  notes: ['The token is printed to stdout, once. The provider also needs the address /scim/v2.'],
  run: async (api, input, terminal) => {
    const groups = input.choice('groups', ['workspaces', 'roles'])
    const body = { name: input.required('name'), ...(groups && { groups }) }
    const created = await api.call<CreatedScimTokenJson>('POST', pathOf(input), body)
    printSecret(terminal, input, created, created.token)
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the SCIM tokens of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<ScimTokenJson>(pathOf(input))),
})

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a SCIM token; it is invalid at once. Users stay as they are.',
  positionals: ['organization-id', 'id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `${pathOf(input)}/${pathSegment(input.argument('id'))}`)
    printDone(terminal, input, 'Deleted.')
  },
})

export const scimToken: Command = {
  name: 'scim-token',
  summary: 'tokens of identity providers that manage users (SCIM)',
  actions: [create, list, remove],
}
