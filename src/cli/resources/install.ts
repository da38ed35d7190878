import type { InstallJson } from '../../http/operator/organizations/installs.ts'
import { apiAction, done, inColumns } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, listed, moment, shown, yesNo } from '../output.ts'
import { resource } from '../resource.ts'
import { required, words, wordsOrAll } from '../setting.ts'

const columns: Column<InstallJson>[] = [
  ['client id', (install) => install.client_id],
  ['permissions', (install) => listed(install.permissions)],
  ['workspaces', (install) => (install.workspace_ids ? listed(install.workspace_ids) : 'all')],
  ['suspended', (install) => yesNo(install.suspended)],
  ['by members for themselves', (install) => yesNo(install.self)],
  ['approved by', (install) => shown(install.installed_by ?? 'operator')],
  ['approved', (install) => moment(install.created_at)],
]

const workspaces = required(
  wordsOrAll('workspaces', 'all|a,b', 'workspaces to approve; all includes future ones'),
  ': all, or a list of ids',
)

const { list, show, switches } = resource(
  '/organizations/{organization-id}/installs/{client-id}',
  columns,
)

export const install: Command = {
  name: 'install',
  summary: 'installs of apps in organizations',
  actions: [
    apiAction({
      name: 'approve',
      summary: 'Install an app, or replace the approval of its install.',
      call: 'PUT /organizations/{organization-id}/installs/{client-id}',
      body: { permissions: [] },
      settings: {
        permissions: words('permissions', 'a,b', 'permissions of the app to approve'),
        workspace_ids: workspaces,
      },
      print: inColumns(columns),
    }),
    list('List the apps that an organization has installed.'),
    show('Show an install.'),
    ...switches('suspended', {
      suspend: 'Suspend an install.',
      resume: 'Resume a suspended install.',
    }),
    apiAction({
      name: 'end-user',
      summary: 'End the access of an app for one user; the user may allow the app again.',
      call: 'DELETE /organizations/{organization-id}/installs/{client-id}/users/{user-id}',
      print: done('The user has no access by this app any more.'),
    }),
    apiAction({
      name: 'remove',
      summary: 'Uninstall an app; its access to the organization ends at once, and for good.',
      call: 'DELETE /organizations/{organization-id}/installs/{client-id}',
      print: done('Uninstalled. A later install revives none of its grants.'),
    }),
  ],
}
