import { Type } from 'typebox'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { changes, closed, id, name, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const workspaceSchema = Type.Object(
  { id, organization_id: id, name: Type.String(), created_at: timestamp },
  { $id: 'Workspace', description: 'A workspace of an organization.' },
)

const workspaceJson = jsonOf(workspaceSchema)

const tag = 'workspaces'
const params = pathIds('workspace_id')
const inOrganization = pathIds('organization_id')
const workspace = reference('Workspace')
const answer = { status: 200, description: 'The workspace.', schema: workspace } as const

const create = operation(
  {
    id: 'createWorkspace',
    tag,
    permission: 'organizations:write',
    summary: 'Create a workspace',
    answer: { ...answer, status: 201 },
    refusals: [404],
  },
  { params: inOrganization, body: closed({ name }) },
)

const list = operation(
  {
    id: 'listWorkspaces',
    tag,
    permission: 'organizations:read',
    summary: 'List the workspaces of an organization',
    answer: { status: 200, description: 'Workspaces.', schema: pageOf(workspace) },
    refusals: [404],
  },
  { params: inOrganization, querystring: pageQuery },
)

const read = operation(
  {
    id: 'readWorkspace',
    tag,
    permission: 'organizations:read',
    summary: 'Read a workspace',
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeWorkspace',
    tag,
    permission: 'organizations:write',
    summary: 'Rename a workspace',
    answer,
    refusals: [404],
  },
  { params, body: changes({ name }) },
)

const remove = operation(
  {
    id: 'deleteWorkspace',
    tag,
    permission: 'organizations:write',
    summary: 'Delete a workspace; it is removed from installs',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

/** Workspaces of organizations. */
export const workspaceRoutes = (scope: OperatorScope, workspaces: Workspaces) => {
  scope.post('/organizations/:organization_id/workspaces', create, async (request, reply) => {
    const { organization_id } = request.params
    const created = await workspaces.create(organization_id, request.body.name, causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/workspaces/${created.id}`)
    return workspaceJson(created)
  })

  scope.get('/organizations/:organization_id/workspaces', list, async ({ params, query }) =>
    pageJson(await workspaces.list(params.organization_id, readPage(query)), workspaceJson),
  )

  scope.get('/workspaces/:workspace_id', read, async ({ params }) =>
    workspaceJson(await workspaces.read(params.workspace_id)),
  )

  scope.patch('/workspaces/:workspace_id', change, async (request) => {
    const { workspace_id } = request.params
    const { name } = request.body
    return workspaceJson(
      name === undefined
        ? await workspaces.read(workspace_id)
        : await workspaces.rename(workspace_id, name, causeOf(request)),
    )
  })

  scope.delete('/workspaces/:workspace_id', remove, async (request, reply) => {
    await workspaces.remove(request.params.workspace_id, causeOf(request))
    return reply.code(204).send()
  })
}
