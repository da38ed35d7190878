// The lists of an organization, one for each of its tabs.
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { MemberJson } from '../../../http/operator/organizations/members.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import { copied, linked, links, marked, timed } from '../../rendering/forms/blocks.ts'
import { choiceOf } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable, whether } from '../list-table.ts'
import { memberCells } from '../people/by-email.ts'
import { namedCells } from '../picked.ts'
import { organizationUrl } from './path.ts'
import { workspacesCell } from './workspace-choice.ts'
import { workspaceUrl } from './workspaces.ts'

type ListBlocks = (visit: OperatorVisit, id: string) => Promise<Block[]>

export const membersBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  const { columns, organizations, roles } = text.operator
  const url = `${organizationUrl(id)}/members`
  const [mayChange, mayName] = [may('organizations:write'), may('users:read')]
  const removal = ({ user_id: member }: MemberJson) =>
    linked(organizations.removeMember, `${url}/${member}/remove`)
  return [
    await listTable<MemberJson>(visit, {
      from: `/organizations/${id}/members`,
      url,
      id: 'members',
      find: mayName ? text.search.placeholder : null,
      choices: [choiceOf('role', columns.role, roles)],
      heading: organizations.members,
      columns: async (members) => [
        [columns.user, await memberCells(visit, members), mayName && 'name'],
        [columns.role, ({ role }) => roles[role]],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
        mayChange && [columns.action, removal],
      ],
      empty: organizations.noMembers,
    }),
    ...links(
      mayChange && [organizations.addMember, `${url}/new`],
      mayChange && [text.operator.severalMembers.link, `${url}/several`],
    ),
  ]
}

export const workspacesBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  const { columns, organizations } = text.operator
  const url = `${organizationUrl(id)}/workspaces`
  return [
    await listTable<WorkspaceJson>(visit, {
      from: `/organizations/${id}/workspaces`,
      url,
      id: 'workspaces',
      find: text.search.named,
      heading: organizations.workspaces,
      columns: [
        [columns.name, (one) => linked(one.name, workspaceUrl(id, one.id)), 'name'],
        [columns.id, (one) => copied(one.id)],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
      ],
      empty: organizations.noWorkspaces,
    }),
    ...links(may('organizations:write') && [organizations.addWorkspace, `${url}/new`]),
  ]
}

const appCells = async (visit: OperatorVisit, all: readonly InstallJson[], url: string) => {
  const ids = all.map(({ client_id }) => client_id)
  const cellOf = await namedCells(visit, 'app', ids, (app) => `${url}/installs/${app}`)
  return ({ client_id: app }: InstallJson) => cellOf([app])
}

export const installsBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  if (!may('installs:read')) return []
  const { columns, organizations, states } = text.operator
  const mayName = may('apps:read')
  const url = organizationUrl(id)
  return [
    await listTable<InstallJson>(visit, {
      from: `/organizations/${id}/installs`,
      url: `${url}/installs`,
      id: 'installs',
      find: mayName ? text.search.named : null,
      choices: [whether(visit, 'suspended', columns.state, [states.suspended, states.active])],
      heading: organizations.installs,
      columns: async (installs) => [
        [columns.app, await appCells(visit, installs, url), mayName && 'name'],
        [columns.id, (one) => copied(one.client_id)],
        [columns.permissions, (one) => one.permissions.length],
        [columns.where, (one) => workspacesCell(visit, one.workspace_ids)],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
        [columns.state, (one) => (one.suspended ? marked(states.suspended) : states.active)],
      ],
      empty: organizations.noInstalls,
    }),
    ...links(
      may('installs:write') && may('apps:read') && [organizations.install, `${url}/install`],
    ),
  ]
}
