import { type Static, Type } from 'typebox'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Workspace, Workspaces } from '../../core/organizations/workspaces.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { changes, closed, id, name, ownId, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const workspaceSchema = Type.Object(
  { id, organization_id: id, name: Type.String(), created_at: timestamp },
  { $id: 'Workspace', description: 'A workspace of an organization.' },
)
export type WorkspaceJson = Static<typeof workspaceSchema>

const workspaceJson = jsonOf(workspaceSchema)
const tagOf = (workspace: Workspace) => etagOf(workspaceJson(workspace))

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

const readInOrganization = operation(
  {
    id: 'readWorkspaceInOrganization',
    tag,
    permission: 'organizations:read',
    summary: 'Read a workspace of this organization',
    answer,
    refusals: [404],
  },
  { params: pathIds('organization_id', 'workspace_id') },
)

const put = operation(
  {
    id: 'putWorkspace',
    conditional: true,
    creates: true,
    checked: 'workspace_id',
    tag,
    permission: 'organizations:write',
    summary: 'Create or replace a workspace under an id of the platform',
    description:
      'The case of letters counts. A repetition changes nothing. An id that belongs to another organization is a conflict.',
    answer,
    refusals: [404, 409],
  },
  {
    params: Type.Object({
      ...inOrganization.properties,
      workspace_id: ownId('workspace'),
    }),
    body: closed({ name }),
  },
)

const change = operation(
  {
    id: 'changeWorkspace',
    conditional: true,
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
    conditional: true,
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

  scope.put(
    '/organizations/:organization_id/workspaces/:workspace_id',
    put,
    async (request, reply) => {
      const { organization_id, workspace_id: id } = request.params
      const { name } = request.body
      const precondition = preconditionOf(request, tagOf)
      const cause = causeOf(request)
      const { item, created } = await workspaces.put(organization_id, id, name, cause, precondition)
      if (created) reply.code(201).header('location', `${scope.prefix}/workspaces/${id}`)
      return workspaceJson(item)
    },
  )

  scope.get(
    '/organizations/:organization_id/workspaces/:workspace_id',
    readInOrganization,
    async ({ params }) => {
      const workspace = await workspaces.read(params.workspace_id)
      if (workspace.organizationId !== params.organization_id) throw new NotFound('workspace')
      return workspaceJson(workspace)
    },
  )

  scope.get('/workspaces/:workspace_id', read, async ({ params }) =>
    workspaceJson(await workspaces.read(params.workspace_id)),
  )

  scope.patch('/workspaces/:workspace_id', change, async (request) => {
    const { workspace_id } = request.params
    const { name } = request.body
    const precondition = preconditionOf(request, tagOf)
    return workspaceJson(
      await workspaces.rename(workspace_id, name, causeOf(request), precondition),
    )
  })

  scope.delete('/workspaces/:workspace_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await workspaces.remove(request.params.workspace_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
