import type { FastifyInstance } from 'fastify'
import { readPart } from '../rendering/long-list.ts'
import type { Block } from '../rendering/operator-view-models.ts'
import { code, facts, linked, links, listLinks, marked, plain, table, timed } from './blocks.ts'
import { showConsole, tabUrl } from './console-page.ts'
import {
  createOperatorGate,
  type OperatorPagesDependencies,
  type OperatorVisit,
} from './operator-gate.ts'
import { identityProviderBlocks } from './operator-identity-provider.ts'
import type { InstallJson } from './operator-install.ts'
import { keySetsBlocks } from './operator-key-sets.ts'
import { policyBlocks } from './operator-policy.ts'
import { scimBlocks } from './operator-scim.ts'
import { workspaceUrl } from './operator-workspaces.ts'
import {
  type OrganizationJson,
  organizationId,
  organizationPath,
  organizationUrl,
} from './organization-path.ts'

export interface MemberJson {
  user_id: string
  role: 'admin' | 'member'
  created_at: string
}

interface WorkspaceJson {
  id: string
  name: string
  created_at: string
}

const itemsOfPage = '25'
const mostShown = '50'

const membersBlocks = async ({ text, api, may }: OperatorVisit, id: string): Promise<Block[]> => {
  const { columns, organizations, roles } = text.operator
  const base = organizationUrl(id)
  const { items } = await api.list<MemberJson>(`/organizations/${id}/members`, { limit: mostShown })
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
    }),
    ...links(mayChange && [organizations.addMember, `${base}/members/new`]),
  ]
}

const workspacesBlocks = async (
  { text, api, may }: OperatorVisit,
  id: string,
): Promise<Block[]> => {
  const { columns, organizations } = text.operator
  const { items } = await api.list<WorkspaceJson>(`/organizations/${id}/workspaces`, {
    limit: mostShown,
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
    }),
    ...links(
      may('organizations:write') && [
        organizations.addWorkspace,
        `${organizationUrl(id)}/workspaces/new`,
      ],
    ),
  ]
}

const installsBlocks = async ({ text, api, may }: OperatorVisit, id: string): Promise<Block[]> => {
  if (!may('installs:read')) return []
  const { columns, organizations, states } = text.operator
  const { items } = await api.list<InstallJson>(`/organizations/${id}/installs`, {
    limit: mostShown,
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

/** Organizations, their members, workspaces and installed apps. */
export const operatorOrganizations = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  const path = tabUrl('organizations')

  const list = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { organizations, columns } = text.operator
    const part = { ...readPart(request), name: '' }
    const { items, next } = await api.list<OrganizationJson>('/organizations', {
      limit: itemsOfPage,
      cursor: part.after,
    })
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: organizations.heading,
      blocks: [
        ...links(may('organizations:write') && [organizations.create, `${path}/new`, true]),
        table({
          columns: [columns.name, columns.id, columns.created],
          rows: items.map((one) => [
            linked(one.name, organizationUrl(one.id)),
            code(one.id),
            timed(text, one.created_at),
          ]),
          empty: organizations.empty,
          list: listLinks(path, part, next),
        }),
      ],
    })
  }

  const show = async (visit: OperatorVisit) => {
    const { text, api, may } = visit
    const { organizations, columns } = text.operator
    const id = organizationId(visit)
    const organization = await api.read<OrganizationJson>(`/organizations/${id}`)
    const parts = await Promise.all([
      membersBlocks(visit, id),
      workspacesBlocks(visit, id),
      installsBlocks(visit, id),
      policyBlocks(visit, id),
      keySetsBlocks(visit, id),
      scimBlocks(visit, id),
      identityProviderBlocks(visit, id),
    ])
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: organization.name,
      blocks: [
        facts(null, [
          [columns.id, code(organization.id)],
          [columns.created, timed(text, organization.created_at)],
        ]),
        ...links(
          may('organizations:write') && [organizations.rename, `${organizationUrl(id)}/rename`],
          may('organizations:write') && [organizations.remove, `${organizationUrl(id)}/delete`],
        ),
        ...parts.flat(),
      ],
      back: { label: organizations.heading, href: path },
    })
  }

  scope.get(path, asOperator({ permission: 'organizations:read' }, list))
  scope.get(organizationPath, asOperator({ permission: 'organizations:read' }, show))
}
