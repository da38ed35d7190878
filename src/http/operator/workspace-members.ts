import { type Static, Type } from 'typebox'
import type { WorkspaceMember, Workspaces } from '../../core/organizations/workspaces.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, id, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const workspaceMemberSchema = Type.Object(
  { workspace_id: id, user_id: id, created_at: timestamp },
  { $id: 'WorkspaceMember', description: 'A member of a workspace.' },
)
export type WorkspaceMemberJson = Static<typeof workspaceMemberSchema>

const workspaceMemberJson = jsonOf(workspaceMemberSchema)
const tagOf = (member: WorkspaceMember) => etagOf(workspaceMemberJson(member))

const tag = 'workspaces'
const params = pathIds('workspace_id', 'user_id')
const workspaceMember = reference('WorkspaceMember')

const put = operation(
  {
    id: 'putWorkspaceMember',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Add a member of the organization to a workspace',
    answer: { status: 200, description: 'The workspace member.', schema: workspaceMember },
    refusals: [404, 409],
  },
  { params, body: closed({}) },
)

const list = operation(
  {
    id: 'listWorkspaceMembers',
    tag,
    permission: 'organizations:read',
    summary: 'List the members of a workspace',
    answer: { status: 200, description: 'Workspace members.', schema: pageOf(workspaceMember) },
    refusals: [404],
  },
  { params: pathIds('workspace_id'), querystring: pageQuery },
)

const read = operation(
  {
    id: 'readWorkspaceMember',
    tag,
    permission: 'organizations:read',
    summary: 'Read a workspace member',
    answer: { status: 200, description: 'The workspace member.', schema: workspaceMember },
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'removeWorkspaceMember',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Remove a member from a workspace',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const path = '/workspaces/:workspace_id/members'

/** Members of workspaces. */
export const workspaceMemberRoutes = (scope: OperatorScope, workspaces: Workspaces) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(
      await workspaces.listMembers(params.workspace_id, readPage(query)),
      workspaceMemberJson,
    ),
  )

  scope.put(`${path}/:user_id`, put, async (request) => {
    const { workspace_id, user_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    return workspaceMemberJson(
      await workspaces.putMember(workspace_id, user_id, causeOf(request), precondition),
    )
  })

  scope.get(`${path}/:user_id`, read, async ({ params }) =>
    workspaceMemberJson(await workspaces.readMember(params.workspace_id, params.user_id)),
  )

  scope.delete(`${path}/:user_id`, remove, async (request, reply) => {
    const { workspace_id, user_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    await workspaces.removeMember(workspace_id, user_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
