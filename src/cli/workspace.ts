import type { WorkspaceMemberJson } from '../http/operator/workspace-members.ts'
import type { WorkspaceJson } from '../http/operator/workspaces.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, moment, printDone, printList, printOne } from './output.ts'

const columns: Column<WorkspaceJson>[] = [
  ['id', (workspace) => workspace.id],
  ['name', (workspace) => workspace.name],
  ['created', (workspace) => moment(workspace.created_at)],
]

const memberColumns: Column<WorkspaceMemberJson>[] = [
  ['user id', (member) => member.user_id],
  ['since', (member) => moment(member.created_at)],
]

const workspacesOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/workspaces`
const pathOf = (input: Input) => `/workspaces/${pathSegment(input.argument('workspace-id'))}`
const memberOf = (input: Input) =>
  `${pathOf(input)}/members/${pathSegment(input.argument('user-id'))}`

const create = operatorAction({
  name: 'create',
  summary: 'Create a workspace.',
  positionals: ['organization-id'],
  options: { name: { value: 'text', help: 'the name that people see' } },
  run: async (api, input, terminal) => {
    const body = { name: input.required('name') }
    const created = await api.call<WorkspaceJson>('POST', workspacesOf(input), body)
    printOne(terminal, input, columns, created)
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the workspaces of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<WorkspaceJson>(workspacesOf(input))),
})

const rename = operatorAction({
  name: 'rename',
  summary: 'Rename a workspace.',
  positionals: ['workspace-id'],
  options: { name: { value: 'text', help: 'the new name' } },
  run: async (api, input, terminal) => {
    const body = { name: input.required('name') }
    printOne(terminal, input, columns, await api.call<WorkspaceJson>('PATCH', pathOf(input), body))
  },
})

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a workspace; it is removed from installs.',
  positionals: ['workspace-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Deleted.')
  },
})

const members = operatorAction({
  name: 'members',
  summary: 'List the members of a workspace.',
  positionals: ['workspace-id'],
  run: async (api, input, terminal) => {
    const found = await api.list<WorkspaceMemberJson>(`${pathOf(input)}/members`)
    printList(terminal, input, memberColumns, found)
  },
})

const addMember = operatorAction({
  name: 'add-member',
  summary: 'Add a member of the organization to a workspace.',
  positionals: ['workspace-id', 'user-id'],
  run: async (api, input, terminal) => {
    const added = await api.call<WorkspaceMemberJson>('PUT', memberOf(input), {})
    printOne(terminal, input, memberColumns, added)
  },
})

const removeMember = operatorAction({
  name: 'remove-member',
  summary: "Remove a user from a workspace; the user's tokens no longer reach it.",
  positionals: ['workspace-id', 'user-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', memberOf(input))
    printDone(terminal, input, 'Removed.')
  },
})

export const workspace: Command = {
  name: 'workspace',
  summary: 'workspaces and their members',
  actions: [create, list, rename, remove, members, addMember, removeMember],
}
