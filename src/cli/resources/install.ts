import type { AudiencePersonJson } from '../../http/operator/organizations/install-users.ts'
import type { InstallJson } from '../../http/operator/organizations/installs.ts'
import { apiAction, done } from '../api-action.ts'
import type { Command } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf, listed, shown } from '../output.ts'
import { resource } from '../resource.ts'
import { required, type Setting, words, wordsOrAll } from '../setting.ts'

const lists: Record<string, string> = { workspace: 'workspaces', group: 'groups', user: 'users' }

/** The audience as the option writes it. */
const shownAudience = ({ audience: { everyone, ...given } }: InstallJson) =>
  everyone
    ? 'everyone'
    : listed(
        Object.entries(lists).flatMap(([name, list]) =>
          (given[list as keyof typeof given] ?? []).map((id) => `${name}=${id}`),
        ),
      )

const columns: Column<InstallJson>[] = [
  ...columnsOf<InstallJson>('client_id', 'permissions'),
  ['workspaces', (install) => (install.workspace_ids ? listed(install.workspace_ids) : 'all')],
  ['for', shownAudience],
  ...columnsOf<InstallJson>('suspended', ['self', 'by members for themselves']),
  ['approved by', (install) => shown(install.installed_by ?? 'operator')],
  ...columnsOf<InstallJson>(['created_at', 'approved']),
]

const people = columnsOf<AudiencePersonJson>(['user', 'user id'], 'inside', 'why')

const permissions = words('permissions <a,b>', 'permissions of the app to approve')

const workspaces = wordsOrAll(
  'workspaces <all|a,b>',
  'workspaces to approve; all includes future ones',
)

/** `everyone`, or parts such as `workspace=id`. */
const audience: Setting = {
  name: 'audience',
  option: {
    value: 'everyone|workspace=ID|group=ID|user=ID',
    help: 'for whom it is (may be repeated); none is nobody',
    multiple: true,
  },
  read: (input) => {
    const given = input.values('audience')
    if (given?.join() === 'everyone') return { everyone: true }
    return given && audienceOf(given)
  },
}

/** @throws CommandError for another part */
const audienceOf = (parts: readonly string[]) => {
  const chosen: Record<string, string[]> = { workspaces: [], groups: [], users: [] }
  for (const part of parts.filter((one) => one !== 'none')) {
    const at = part.indexOf('=')
    const list = lists[part.slice(0, Math.max(at, 0))]
    if (list === undefined)
      throw usageError(`--audience ${part} is none of ${audience.option.value}`)
    chosen[list]?.push(part.slice(at + 1))
  }
  return chosen
}

const path = '/organizations/{organization-id}/installs/{client-id}'
const { put, list, show, switches, update, remove } = resource(path, columns)
const members = resource(`${path}/people/{user-id}`, people)

export const install: Command = {
  name: 'install',
  summary: 'installs of apps in organizations',
  actions: [
    put('approve', 'Install an app, or replace the approval of its install.', {
      body: { permissions: [] },
      settings: {
        permissions,
        workspace_ids: required(workspaces, ': all, or a list of ids'),
        audience,
      },
    }),
    update('Change parts of an install.', { permissions, workspace_ids: workspaces, audience }),
    members.list(
      'List the members of the organization, and whether the install is for them.',
      'people',
      {},
    ),
    apiAction('deny', `PUT ${path}/denied/{user-id}`, {
      summary: 'Deny a member the app, for good; their access ends.',
      print: done('The user cannot use this app until the denial is taken back.'),
    }),
    apiAction('admit', `DELETE ${path}/denied/{user-id}`, {
      summary: 'Take a denial back; nothing that ended starts again.',
      print: done('The user is not denied this app.'),
    }),
    list('List the apps that an organization has installed.'),
    show('Show an install.'),
    ...switches('suspended', {
      suspend: 'Suspend an install.',
      resume: 'Resume a suspended install.',
    }),
    apiAction('end-user', `DELETE ${path}/users/{user-id}`, {
      summary: 'End the access of an app for one user; the user may allow the app again.',
      print: done('The user has no access by this app any more.'),
    }),
    remove(
      'Uninstall an app; its access to the organization ends at once, and for good.',
      'remove',
      'Uninstalled. A later install revives none of its grants.',
    ),
  ],
}
