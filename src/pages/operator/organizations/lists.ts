// The lists of an organization. Its page has the first part of each, and each list has a page of its own for the rest.
import type { FastifyInstance } from 'fastify'
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { MemberJson } from '../../../http/operator/organizations/members.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import {
  code,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import { type ListPart, readPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { showConsole, tabUrl } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { keySetsBlocks } from './key-sets.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { scimBlocks } from './scim.ts'
import { workspaceUrl } from './workspaces.ts'

type ListBlocks = (visit: OperatorVisit, id: string, part: ListPart) => Promise<Block[]>

const itemsOfPage = '50'

export const membersBlocks: ListBlocks = async ({ text, api, may }, id, part) => {
  const { columns, organizations, roles } = text.operator
  const base = organizationUrl(id)
  const { items, next } = await api.list<MemberJson>(`/organizations/${id}/members`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  const mayChange = may('organizations:write')
  const users = may('users:read')
    ? await api.each<{ email: string }>(
        '/users',
        items.map(({ user_id }) => user_id),
      )
    : null
  return [
    table({
      id: 'members',
      heading: organizations.members,
      columns: [
        columns.user,
        columns.role,
        columns.created,
        ...(mayChange ? [columns.action] : []),
      ],
      rows: items.map(({ user_id, role, created_at }) => [
        users
          ? linked(users.get(user_id)?.email ?? user_id, `${tabUrl('people')}/${user_id}`)
          : code(user_id),
        plain(roles[role]),
        timed(text, created_at),
        ...(mayChange
          ? [linked(organizations.removeMember, `${base}/members/${user_id}/remove`)]
          : []),
      ]),
      empty: organizations.noMembers,
      list: listLinks(`${organizationUrl(id)}/members`, part, next),
    }),
    ...links(mayChange && [organizations.addMember, `${base}/members/new`]),
  ]
}

export const workspacesBlocks: ListBlocks = async ({ text, api, may }, id, part) => {
  const { columns, organizations } = text.operator
  const { items, next } = await api.list<WorkspaceJson>(`/organizations/${id}/workspaces`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  return [
    table({
      id: 'workspaces',
      heading: organizations.workspaces,
      columns: [columns.name, columns.id, columns.created],
      rows: items.map((one) => [
        linked(one.name, workspaceUrl(id, one.id)),
        code(one.id),
        timed(text, one.created_at),
      ]),
      empty: organizations.noWorkspaces,
      list: listLinks(`${organizationUrl(id)}/workspaces`, part, next),
    }),
    ...links(
      may('organizations:write') && [
        organizations.addWorkspace,
        `${organizationUrl(id)}/workspaces/new`,
      ],
    ),
  ]
}

export const installsBlocks: ListBlocks = async ({ text, api, may }, id, part) => {
  if (!may('installs:read')) return []
  const { columns, organizations, states } = text.operator
  const { items, next } = await api.list<InstallJson>(`/organizations/${id}/installs`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  const apps = may('apps:read')
    ? await api.each<{ name: string }>(
        '/apps',
        items.map(({ client_id }) => client_id),
      )
    : null
  return [
    table({
      id: 'installs',
      heading: organizations.installs,
      columns: [columns.app, columns.permissions, columns.where, columns.created, columns.state],
      rows: items.map((one) => [
        linked(
          apps?.get(one.client_id)?.name ?? one.client_id,
          `${organizationUrl(id)}/installs/${encodeURIComponent(one.client_id)}`,
        ),
        plain(one.permissions.join(', ')),
        plain(one.workspace_ids === null ? organizations.everywhere : one.workspace_ids.length),
        timed(text, one.created_at),
        one.suspended ? marked(states.suspended) : plain(states.active),
      ]),
      empty: organizations.noInstalls,
      list: listLinks(`${organizationUrl(id)}/installs`, part, next),
    }),
    ...links(
      may('installs:write') &&
        may('installs:read') &&
        may('apps:read') && [organizations.install, `${organizationUrl(id)}/install`],
      may('installs:write') && [organizations.suspendAll, `${organizationUrl(id)}/suspend-all`],
      may('installs:write') && [organizations.resumeAll, `${organizationUrl(id)}/resume-all`],
    ),
  ]
}

const lists: Record<string, [blocks: ListBlocks, permission: OperatorPermission]> = {
  members: [membersBlocks, 'organizations:read'],
  workspaces: [workspacesBlocks, 'organizations:read'],
  installs: [installsBlocks, 'installs:read'],
  'key-sets': [keySetsBlocks, 'key_sets:read'],
  'scim-tokens': [scimBlocks, 'users:read'],
}

export const operatorOrganizationLists = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
) => {
  const asOperator = createOperatorGate(deps)
  for (const [name, [blocks, permission]] of Object.entries(lists))
    scope.get(
      `${organizationPath}/${name}`,
      asOperator({ permission }, async (visit) => {
        const { item } = await readOrganization(visit)
        return showConsole(deps.renderer, visit, {
          tab: 'organizations',
          heading: item.name,
          blocks: await blocks(visit, item.id, { ...readPart(visit.request), name: '' }),
          back: {
            label: visit.text.operator.organizations.back,
            href: organizationUrl(item.id),
          },
        })
      }),
    )
}
