import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, moment, printDone, printList, printOne } from './output.ts'
import { note } from './terminal.ts'

interface ResourceServerJson {
  client_id: string
  name: string
  hint: string
  created_at: string
}

const columns: Column<ResourceServerJson>[] = [
  ['client id', (server) => server.client_id],
  ['name', (server) => server.name],
  ['secret', (server) => server.hint],
  ['created', (server) => moment(server.created_at)],
]

const create = operatorAction({
  name: 'create',
  summary: 'Register a data API that may introspect tokens.',
  options: { name: { value: 'text', help: 'the name of the data API' } },
  notes: [
    'The secret is printed to stdout, once. To replace it, register the data API again and delete the old entry.',
  ],
  run: async (api, input, terminal) => {
    const body = { name: input.required('name') }
    const created = await api.call<ResourceServerJson & { client_secret: string }>(
      'POST',
      '/resource-servers',
      body,
    )
    const withSecret: Column<ResourceServerJson>[] = [
      ...columns.slice(0, 2),
      ['client secret', () => created.client_secret],
    ]
    printOne(terminal, input, withSecret, created)
    note(terminal, 'Keep the secret now: it is not shown again.')
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
  actions: [create, list, remove],
}
