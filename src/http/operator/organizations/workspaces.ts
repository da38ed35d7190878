import { type Static, Type } from 'typebox'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const workspaceSchema = api.component('Workspace', 'A workspace of an organization.', {
  id: api.id,
  organization_id: api.id,
  name: Type.String(),
  created_at: api.timestamp,
})
export type WorkspaceJson = Static<typeof workspaceSchema>

const workspaceMemberSchema = api.component('WorkspaceMember', 'A member of a workspace.', {
  workspace_id: api.id,
  user_id: api.id,
  created_at: api.timestamp,
})
export type WorkspaceMemberJson = Static<typeof workspaceMemberSchema>

export const workspaceRoutes = (scope: Scope, { workspaces }: { workspaces: Workspaces }) => {
  const on = operations(scope, {
    tag: 'workspaces',
    area: 'organizations',
    schema: workspaceSchema,
    one: 'The workspace.',
    page: 'Workspaces.',
    location: ({ id }) => `/workspaces/${id}`,
  })
  const path = '/workspaces/:workspace_id'
  const all = '/organizations/:organization_id/workspaces'
  const ownPath = `${all}/:workspace_id` as const

  on.create(all, 'createWorkspace', 'Create a workspace', {
    body: api.closed({ name: api.name }),
    run: async ({ params, body }, cause) =>
      on.json(await workspaces.create({ ...params, ...body }, cause)),
  })

  on.list(all, 'listWorkspaces', 'List the workspaces of an organization', {
    querystring: listQuery(['name']),
    run: ({ params }, page) => workspaces.list(params.organizationId, page),
  })

  on.put(ownPath, 'putWorkspace', 'Create or replace a workspace under an id of the platform', {
    checked: 'workspace_id',
    description:
      'The case of letters counts. A repetition changes nothing. An id that belongs to another organization is a conflict.',
    refusals: [404, 409],
    params: Type.Object({
      ...api.pathIds('organization_id').properties,
      workspace_id: api.ownId('workspace'),
    }),
    body: api.closed({ name: api.name }),
    run: async ({ params: { organizationId, workspaceId: id }, body }, ...context) =>
      (await workspaces.put({ organizationId, id, ...body }, ...context)).item,
  })

  on.read(ownPath, 'readWorkspaceInOrganization', 'Read a workspace of this organization', {
    run: async ({ params }) => {
      const workspace = await workspaces.read(params.workspaceId)
      if (workspace.organizationId !== params.organizationId) throw new NotFound('workspace')
      return workspace
    },
  })

  on.read(path, 'readWorkspace', 'Read a workspace', {
    run: ({ params }) => workspaces.read(params.workspaceId),
  })

  on.change(path, 'changeWorkspace', 'Rename a workspace', {
    body: api.changes({ name: api.name }),
    run: ({ params, body }, ...context) =>
      workspaces.rename(params.workspaceId, body.name, ...context),
  })

  on.remove(path, 'deleteWorkspace', 'Delete a workspace; it is removed from installs', {
    run: ({ params }, ...context) => workspaces.remove(params.workspaceId, ...context),
  })
}

export const workspaceMemberRoutes = (scope: Scope, { workspaces }: { workspaces: Workspaces }) => {
  const on = operations(scope, {
    tag: 'workspaces',
    area: 'organizations',
    schema: workspaceMemberSchema,
    one: 'The workspace member.',
    page: 'Workspace members.',
  })
  const all = '/workspaces/:workspace_id/members'
  const path = `${all}/:user_id` as const

  on.list(all, 'listWorkspaceMembers', 'List the members of a workspace', {
    rights: { q: 'users:read', name: 'users:read' },
    querystring: listQuery(['name']),
    run: ({ params }, page) => workspaces.listMembers(params.workspaceId, page),
  })

  on.put(path, 'putWorkspaceMember', 'Add a member of the organization to a workspace', {
    refusals: [404, 409],
    body: api.closed({}),
    run: ({ params }, ...context) => workspaces.putMember(params, ...context),
  })

  on.read(path, 'readWorkspaceMember', 'Read a workspace member', {
    run: ({ params }) => workspaces.readMember(params.workspaceId, params.userId),
  })

  on.remove(path, 'removeWorkspaceMember', 'Remove a member from a workspace', {
    answer: { description: 'Removed.' },
    run: ({ params }, ...context) => workspaces.removeMember(params, ...context),
  })
}
