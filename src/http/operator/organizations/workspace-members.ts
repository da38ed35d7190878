import type { Static } from 'typebox'
import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import { changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const workspaceMemberSchema = api.component('WorkspaceMember', 'A member of a workspace.', {
  workspace_id: api.id,
  user_id: api.id,
  created_at: api.timestamp,
})
export type WorkspaceMemberJson = Static<typeof workspaceMemberSchema>

const workspaceMemberJson = jsonOf(workspaceMemberSchema)

const on = operations({
  tag: 'workspaces',
  area: 'organizations',
  schema: workspaceMemberSchema,
  one: 'The workspace member.',
  page: 'Workspace members.',
})
const params = api.pathIds('workspace_id', 'user_id')

const put = on.put('putWorkspaceMember', 'Add a member of the organization to a workspace', {
  refusals: [404, 409],
  params,
  body: api.closed({}),
})

const list = on.list('listWorkspaceMembers', 'List the members of a workspace', {
  params: api.pathIds('workspace_id'),
  rights: { q: 'users:read', name: 'users:read' },
  querystring: listQuery(['name']),
})

const read = on.read('readWorkspaceMember', 'Read a workspace member', { params })

const remove = on.remove('removeWorkspaceMember', 'Remove a member from a workspace', {
  answer: { description: 'Removed.' },
  params,
})

const path = '/workspaces/:workspace_id/members'

/** Members of workspaces. */
export const workspaceMemberRoutes = (scope: Scope, { workspaces }: { workspaces: Workspaces }) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(
      await workspaces.listMembers(params.workspace_id, readPage(query)),
      workspaceMemberJson,
    ),
  )

  scope.put(`${path}/:user_id`, put, async (request) => {
    const context = changeOf(request, workspaceMemberJson)
    return workspaceMemberJson(await workspaces.putMember(fieldsOf(request.params), ...context))
  })

  scope.get(`${path}/:user_id`, read, async ({ params }) =>
    workspaceMemberJson(await workspaces.readMember(params.workspace_id, params.user_id)),
  )

  scope.delete(`${path}/:user_id`, remove, async (request) => {
    const context = changeOf(request, workspaceMemberJson)
    await workspaces.removeMember(fieldsOf(request.params), ...context)
  })
}
