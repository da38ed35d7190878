import type { InstallJson } from '../http/operator/installs.ts'
import type { Action, Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import {
  type Column,
  listed,
  moment,
  printDone,
  printList,
  printOne,
  shown,
  yesNo,
} from './output.ts'

const columns: Column<InstallJson>[] = [
  ['client id', (install) => install.client_id],
  ['permissions', (install) => listed(install.permissions)],
  ['workspaces', (install) => (install.workspace_ids ? listed(install.workspace_ids) : 'all')],
  ['suspended', (install) => yesNo(install.suspended)],
  ['approved by', (install) => shown(install.installed_by ?? 'operator')],
  ['approved', (install) => moment(install.created_at)],
]

const one = ['organization-id', 'client-id']
const installsOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/installs`
const pathOf = (input: Input) => `${installsOf(input)}/${pathSegment(input.argument('client-id'))}`

/** `all` includes future workspaces. Otherwise exactly the listed ones. */
const workspacesIn = (input: Input): string[] | null => {
  const words = input.words('workspaces')
  if (words === undefined) throw usageError('--workspaces is missing: all, or a list of ids')
  return words.includes('all') ? null : words
}

const approve = operatorAction({
  name: 'approve',
  summary: 'Install an app, or replace the approval of its install.',
  positionals: one,
  options: {
    permissions: {
      value: 'a,b',
      multiple: true,
      help: 'permissions of the app to approve',
    },
    workspaces: {
      value: 'all|a,b',
      multiple: true,
      help: 'workspaces to approve; all includes future ones',
    },
  },
  run: async (api, input, terminal) => {
    const body = {
      permissions: input.words('permissions') ?? [],
      workspace_ids: workspacesIn(input),
    }
    printOne(terminal, input, columns, await api.call<InstallJson>('PUT', pathOf(input), body))
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the apps that an organization has installed.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<InstallJson>(installsOf(input))),
})

const show = operatorAction({
  name: 'show',
  summary: 'Show an install.',
  positionals: one,
  run: async (api, input, terminal) =>
    printOne(terminal, input, columns, await api.call<InstallJson>('GET', pathOf(input))),
})

const switchTo = (name: string, suspended: boolean, summary: string): Action =>
  operatorAction({
    name,
    summary,
    positionals: one,
    run: async (api, input, terminal) => {
      const install = await api.call<InstallJson>('PATCH', pathOf(input), { suspended })
      printOne(terminal, input, columns, install)
    },
  })

const endUser = operatorAction({
  name: 'end-user',
  summary: 'End the access of an app for one user; the user may allow the app again.',
  positionals: [...one, 'user-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `${pathOf(input)}/users/${pathSegment(input.argument('user-id'))}`)
    printDone(terminal, input, 'The user has no access by this app any more.')
  },
})

const remove = operatorAction({
  name: 'remove',
  summary: 'Uninstall an app; its access to the organization ends at once, and for good.',
  positionals: one,
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Uninstalled. A later install revives none of its grants.')
  },
})

export const install: Command = {
  name: 'install',
  summary: 'installs of apps in organizations',
  actions: [
    approve,
    list,
    show,
    switchTo('suspend', true, 'Suspend an install.'),
    switchTo('resume', false, 'Resume a suspended install.'),
    endUser,
    remove,
  ],
}
