import type {
  CreatedResourceServerJson,
  ResourceServerJson,
} from '../http/operator/resource-servers.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import type { Option } from './option.ts'
import { type Column, listed, moment, printDone, printList, printOne } from './output.ts'
import { note } from './terminal.ts'

const columns: Column<ResourceServerJson>[] = [
  ['client id', (server) => server.client_id],
  ['name', (server) => server.name],
  ['resource', (server) => (server.resource ? listed(server.resource) : 'default')],
  ['permissions', (server) => (server.permissions ? listed(server.permissions) : 'all')],
  [
    'organizations',
    (server) => (server.organization_ids ? listed(server.organization_ids) : 'all'),
  ],
  ['secret', (server) => server.hint],
  ['created', (server) => moment(server.created_at)],
]

const limitOptions: Record<string, Option> = {
  resource: {
    value: 'uri',
    multiple: true,
    help: 'an audience of its tokens; repeat for more (default: TOKEN_AUDIENCE)',
  },
  permission: {
    value: 'a,b',
    multiple: true,
    help: 'the permissions that it knows (default: all)',
  },
  organization: {
    value: 'id',
    multiple: true,
    help: 'it serves only this organization; repeat for more (default: all)',
  },
}

const limitNames = [
  ['resource', 'resource'],
  ['permission', 'permissions'],
  ['organization', 'organization_ids'],
] as const

/** The limits that the options name. */
const limitsIn = (input: Input) =>
  Object.fromEntries(
    limitNames.flatMap(([option, field]) => {
      const given = input.words(option)
      return given ? [[field, given]] : []
    }),
  )

const create = operatorAction({
  name: 'create',
  summary: 'Register a data API that may introspect tokens.',
  options: { name: { value: 'text', help: 'the name of the data API' }, ...limitOptions },
  notes: [
    'The secret is printed to stdout, once. To replace it, register the data API again and delete the old entry.',
  ],
  run: async (api, input, terminal) => {
    const body = { name: input.required('name'), ...limitsIn(input) }
    const created = await api.call<CreatedResourceServerJson>('POST', '/resource-servers', body)
    const withSecret: Column<ResourceServerJson>[] = [
      ...columns.slice(0, 2),
      ['client secret', () => created.client_secret],
    ]
    printOne(terminal, input, withSecret, created)
    note(terminal, 'Keep the secret now: it is not shown again.')
  },
})

const update = operatorAction({
  name: 'update',
  summary: 'Change the name or the limits of a data API.',
  positionals: ['client-id'],
  options: {
    name: { value: 'text', help: 'the name of the data API' },
    ...limitOptions,
    'default-resource': { help: 'only the default audience (TOKEN_AUDIENCE)' },
    'all-permissions': { help: 'no limit of permissions' },
    'all-organizations': { help: 'no limit of organizations' },
  },
  notes: ['Options that are not given change nothing. A given list replaces the stored one.'],
  run: async (api, input, terminal) => {
    const body = {
      ...limitsIn(input),
      ...(input.text('name') !== undefined && { name: input.text('name') }),
      ...(input.flag('default-resource') && { resource: null }),
      ...(input.flag('all-permissions') && { permissions: null }),
      ...(input.flag('all-organizations') && { organization_ids: null }),
    }
    if (Object.keys(body).length === 0) throw usageError('there is nothing to change')
    const path = `/resource-servers/${pathSegment(input.argument('client-id'))}`
    printOne(terminal, input, columns, await api.call<ResourceServerJson>('PATCH', path, body))
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the registered data APIs.',
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<ResourceServerJson>('/resource-servers')),
})

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a data API; its secret is invalid at once.',
  positionals: ['client-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `/resource-servers/${pathSegment(input.argument('client-id'))}`)
    printDone(terminal, input, 'Deleted.')
  },
})

export const resourceServer: Command = {
  name: 'resource-server',
  summary: 'data APIs that may introspect tokens',
  actions: [create, list, update, remove],
}
