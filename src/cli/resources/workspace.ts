import type {
  WorkspaceJson,
  WorkspaceMemberJson,
} from '../../http/operator/organizations/workspaces.ts'
import type { Command } from '../command.ts'
import { columnsOf } from '../output.ts'
import { resource } from '../resource.ts'
import { required, text } from '../setting.ts'

const columns = columnsOf<WorkspaceJson>('id', 'name', 'created_at')

const memberColumns = columnsOf<WorkspaceMemberJson>('user_id', ['created_at', 'since'])

const members = resource('/workspaces/{workspace-id}/members/{user-id}', memberColumns)
const { rename, remove } = resource('/workspaces/{workspace-id}', columns)
const inOrganization = resource('/organizations/{organization-id}/workspaces/{id}', columns)

export const workspace: Command = {
  name: 'workspace',
  summary: 'workspaces and their members',
  actions: [
    inOrganization.create('Create a workspace.', {
      settings: { name: required(text('name <text>', 'the name that people see')) },
    }),
    inOrganization.list('List the workspaces of an organization.'),
    rename('Rename a workspace.'),
    remove('Delete a workspace; it is removed from installs.'),
    members.list('List the members of a workspace.', 'members'),
    members.put('add-member', 'Add a member of the organization to a workspace.', { body: {} }),
    members.remove(
      "Remove a user from a workspace; the user's tokens no longer reach it.",
      'remove-member',
    ),
  ],
}
