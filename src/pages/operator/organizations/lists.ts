// The lists of an organization, one for each of its tabs.
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { MemberJson } from '../../../http/operator/organizations/members.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import { code, linked, links, marked, plain, timed } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import { memberCells } from '../people/by-email.ts'
import { namedCells } from '../picked.ts'
import { organizationUrl } from './path.ts'
import { workspacesCell } from './workspace-choice.ts'
import { workspaceUrl } from './workspaces.ts'

type ListBlocks = (visit: OperatorVisit, id: string) => Promise<Block[]>

/** Short enough for a phone. */
export const limit = '15'

export const membersBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  const { columns, organizations, roles } = text.operator
  const url = `${organizationUrl(id)}/members`
  const mayChange = may('organizations:write')
  const removal = ({ user_id: member }: MemberJson) =>
    linked(organizations.removeMember, `${url}/${member}/remove`)
  return [
    await listTable<MemberJson>(visit, {
      from: `/organizations/${id}/members`,
      ...{ url, limit },
      id: 'members',
      find: { kind: 'user', organizationId: id },
      heading: organizations.members,
      columns: async (members) => [
        [columns.user, await memberCells(visit, members)],
        [columns.role, ({ role }) => plain(roles[role])],
        [columns.created, (one) => timed(text, one.created_at)],
        mayChange && [columns.action, removal],
      ],
      empty: organizations.noMembers,
    }),
    ...links(mayChange && [organizations.addMember, `${url}/new`]),
  ]
}

export const workspacesBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  const { columns, organizations } = text.operator
  const url = `${organizationUrl(id)}/workspaces`
  return [
    await listTable<WorkspaceJson>(visit, {
      from: `/organizations/${id}/workspaces`,
      ...{ url, limit },
      id: 'workspaces',
      find: { kind: 'workspace', organizationId: id },
      heading: organizations.workspaces,
      columns: [
        [columns.name, (one) => linked(one.name, workspaceUrl(id, one.id))],
        [columns.id, (one) => code(one.id)],
        [columns.created, (one) => timed(text, one.created_at)],
      ],
      empty: organizations.noWorkspaces,
    }),
    ...links(may('organizations:write') && [organizations.addWorkspace, `${url}/new`]),
  ]
}

/** Shows an app of an install. */
const appCells = async (visit: OperatorVisit, all: readonly InstallJson[], url: string) => {
  const ids = all.map(({ client_id }) => client_id)
  const cellOf = await namedCells(visit, 'app', ids, (app) => `${url}/installs/${app}`)
  return ({ client_id: app }: InstallJson) => cellOf([app])
}

export const installsBlocks: ListBlocks = async (visit, id) => {
  const { text, may } = visit
  if (!may('installs:read')) return []
  const { columns, organizations, states } = text.operator
  const url = organizationUrl(id)
  return [
    await listTable<InstallJson>(visit, {
      from: `/organizations/${id}/installs`,
      url: `${url}/installs`,
      limit,
      id: 'installs',
      find: { kind: 'app', organizationId: id },
      heading: organizations.installs,
      columns: async (installs) => [
        [columns.app, await appCells(visit, installs, url)],
        [columns.permissions, (one) => plain(one.permissions.length)],
        [columns.where, (one) => workspacesCell(visit, one.workspace_ids)],
        [columns.created, (one) => timed(text, one.created_at)],
        [columns.state, (one) => (one.suspended ? marked(states.suspended) : plain(states.active))],
      ],
      empty: organizations.noInstalls,
    }),
    ...links(
      may('installs:write') && may('apps:read') && [organizations.install, `${url}/install`],
    ),
  ]
}
