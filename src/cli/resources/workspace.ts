import type { WorkspaceMemberJson } from '../../http/operator/organizations/workspace-members.ts'
import type { WorkspaceJson } from '../../http/operator/organizations/workspaces.ts'
import { apiAction, done, inColumns, listing } from '../api-action.ts'
import type { Command } from '../command.ts'
import { columnsOf } from '../output.ts'
import { choosing, resource } from '../resource.ts'
import { required, text } from '../setting.ts'

const columns = columnsOf<WorkspaceJson>('id', 'name', 'created_at')

const memberColumns = columnsOf<WorkspaceMemberJson>('user_id', ['created_at', 'since'])

const members = resource('/workspaces/{workspace-id}/members/{user-id}', memberColumns)
const { rename, remove } = resource('/workspaces/{workspace-id}', columns)

export const workspace: Command = {
  name: 'workspace',
  summary: 'workspaces and their members',
  actions: [
    apiAction({
      name: 'create',
      summary: 'Create a workspace.',
      call: 'POST /organizations/{organization-id}/workspaces',
      settings: { name: required(text('name', 'text', 'the name that people see')) },
      print: inColumns(columns),
    }),
    listing({
      summary: 'List the workspaces of an organization.',
      path: '/organizations/{organization-id}/workspaces',
      settings: choosing,
      columns,
    }),
    rename('Rename a workspace.'),
    remove('Delete a workspace; it is removed from installs.'),
    members.list('List the members of a workspace.', 'members'),
    apiAction({
      name: 'add-member',
      summary: 'Add a member of the organization to a workspace.',
      call: 'PUT /workspaces/{workspace-id}/members/{user-id}',
      body: {},
      print: inColumns(memberColumns),
    }),
    apiAction({
      name: 'remove-member',
      summary: "Remove a user from a workspace; the user's tokens no longer reach it.",
      call: 'DELETE /workspaces/{workspace-id}/members/{user-id}',
      print: done('Removed.'),
    }),
  ],
}
