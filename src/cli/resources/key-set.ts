import { workloadName } from '../../core/clients/workloads.ts'
import type {
  KeySetJson,
  KeySetWithSecretJson,
} from '../../http/operator/organizations/key-sets.ts'
import { apiAction, secretIn, withSecret } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, listed, moment, shown } from '../output.ts'
import { resource } from '../resource.ts'
import {
  generation,
  required,
  retireOthers,
  text,
  words,
  wordsOrAll,
  workloads,
} from '../setting.ts'

const shortColumns = columnsOf<KeySetJson>('id', 'client_id', 'name', 'interface', 'permissions')

const allColumns: Column<KeySetJson>[] = [
  ...shortColumns,
  ['workspaces', (keySet) => (keySet.workspace_ids ? listed(keySet.workspace_ids) : 'all')],
  ['workloads', (keySet) => listed(keySet.workloads.map(workloadName))],
  ['description', (keySet) => shown(keySet.description)],
  ['active secrets', (keySet) => listed(keySet.secrets.map(({ hint }) => hint))],
  ['created', (keySet) => moment(keySet.created_at)],
]

const settings = {
  name: text('name <text>', 'the purpose of the key set'),
  description: text('description <text>', 'a longer description'),
  permissions: words('permissions <a,b>', 'maximum permissions of its tokens'),
  workspace_ids: wordsOrAll('workspaces <all|a,b>', 'maximum workspaces of its tokens'),
  workloads,
}

const { create, list, show, update, remove } = resource(
  '/organizations/{organization-id}/key-sets/{key-set-id}',
  allColumns,
  shortColumns,
)

export const keySet: Command = {
  name: 'key-set',
  summary: "an organization's own credentials",
  actions: [
    create('Create a key set: credentials of the organization itself.', {
      body: { interface: 'current', permissions: [] },
      settings: {
        ...settings,
        name: required(settings.name),
        interface: generation('the API generation (default: current)'),
      },
      notes: ['The secret is printed to stdout, once.'],
      print: withSecret<KeySetWithSecretJson>([...allColumns, ['secret', ({ secret }) => secret]]),
    }),
    list('List the key sets of an organization.'),
    show('Show a key set.'),
    update('Change a key set.', settings),
    apiAction('rotate', 'POST /organizations/{organization-id}/key-sets/{key-set-id}/rotate', {
      summary: 'Replace the secret; tokens signed with the old one expire with it.',
      settings: retireOthers,
      notes: ['The new secret is printed to stdout, once.'],
      print: secretIn<KeySetWithSecretJson>(({ secret }) => secret),
    }),
    remove('Delete a key set; its tokens are invalid at once.'),
  ],
}
