import { workloadName } from '../core/clients/workloads.ts'
import type { KeySetJson, KeySetWithSecretJson } from '../http/operator/key-sets.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { readJson } from './json-file.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import type { Option } from './option.ts'
import { type Column, listed, moment, printDone, printList, printOne, shown } from './output.ts'
import { printSecret } from './secrets.ts'
import { note } from './terminal.ts'

const shortColumns: Column<KeySetJson>[] = [
  ['id', (keySet) => keySet.id],
  ['client id', (keySet) => keySet.client_id],
  ['name', (keySet) => keySet.name],
  ['interface', (keySet) => keySet.interface],
  ['permissions', (keySet) => listed(keySet.permissions)],
]

const allColumns: Column<KeySetJson>[] = [
  ...shortColumns,
  ['workspaces', (keySet) => (keySet.workspace_ids ? listed(keySet.workspace_ids) : 'all')],
  ['workloads', (keySet) => listed(keySet.workloads.map(workloadName))],
  ['description', (keySet) => shown(keySet.description)],
  ['active secrets', (keySet) => listed(keySet.secrets.map(({ hint }) => hint))],
  ['created', (keySet) => moment(keySet.created_at)],
]

const settings: Record<string, Option> = {
  name: { value: 'text', help: 'the purpose of the key set' },
  description: { value: 'text', help: 'a longer description' },
  permissions: { value: 'a,b', multiple: true, help: 'maximum permissions of its tokens' },
  workspaces: { value: 'all|a,b', multiple: true, help: 'maximum workspaces of its tokens' },
  'workloads-file': {
    value: 'path',
    help: 'jobs that need no secret: JSON, up to 5 of {issuer, subject?, claims?, jwks_uri?}',
  },
}

const settingsIn = async (input: Input) => {
  const workloads = input.text('workloads-file')
  const workspaces = input.words('workspaces')
  const given = {
    name: input.text('name'),
    description: input.text('description'),
    permissions: input.words('permissions'),
    workspace_ids: workspaces?.includes('all') ? null : workspaces,
    workloads: workloads === undefined ? undefined : await readJson('workloads-file', workloads),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const keySetsOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/key-sets`
const pathOf = (input: Input) => `${keySetsOf(input)}/${pathSegment(input.argument('key-set-id'))}`
const one = ['organization-id', 'key-set-id']

const create = operatorAction({
  name: 'create',
  summary: 'Create a key set: credentials of the organization itself.',
  positionals: ['organization-id'],
  options: {
    ...settings,
    interface: { value: 'current|legacy', help: 'the API generation (default: current)' },
  },
  notes: ['The secret is printed to stdout, once.'],
  run: async (api, input, terminal) => {
    input.required('name')
    const body = {
      interface: input.choice('interface', ['current', 'legacy']) ?? 'current',
      permissions: [],
      ...(await settingsIn(input)),
    }
    const keySet = await api.call<KeySetWithSecretJson>('POST', keySetsOf(input), body)
    printOne(terminal, input, [...allColumns, ['secret', () => keySet.secret]], keySet)
    note(terminal, 'Keep the secret now: it is not shown again.')
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the key sets of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printList(terminal, input, shortColumns, await api.list<KeySetJson>(keySetsOf(input))),
})

const show = operatorAction({
  name: 'show',
  summary: 'Show a key set.',
  positionals: one,
  run: async (api, input, terminal) =>
    printOne(terminal, input, allColumns, await api.call<KeySetJson>('GET', pathOf(input))),
})

const update = operatorAction({
  name: 'update',
  summary: 'Change a key set.',
  positionals: one,
  options: settings,
  run: async (api, input, terminal) => {
    const patch = await settingsIn(input)
    if (Object.keys(patch).length === 0) throw usageError('there is nothing to change')
    printOne(terminal, input, allColumns, await api.call<KeySetJson>('PATCH', pathOf(input), patch))
  },
})

const rotate = operatorAction({
  name: 'rotate',
  summary: 'Replace the secret; tokens signed with the old one expire with it.',
  positionals: one,
  options: {
    'retire-others-after': {
      value: 'seconds',
      help: 'time until older secrets expire (default: 0)',
    },
  },
  notes: ['The new secret is printed to stdout, once.'],
  run: async (api, input, terminal) => {
    const body = { retire_others_after_seconds: input.number('retire-others-after') ?? 0 }
    const path = `${pathOf(input)}/rotate`
    const keySet = await api.call<KeySetWithSecretJson>('POST', path, body)
    printSecret(terminal, input, keySet, keySet.secret)
  },
})

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a key set; its tokens are invalid at once.',
  positionals: one,
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Deleted.')
  },
})

export const keySet: Command = {
  name: 'key-set',
  summary: "an organization's own credentials",
  actions: [create, list, show, update, rotate, remove],
}
