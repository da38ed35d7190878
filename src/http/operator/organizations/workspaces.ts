import { type Static, Type } from 'typebox'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const workspaceSchema = api.component('Workspace', 'A workspace of an organization.', {
  id: api.id,
  organization_id: api.id,
  name: Type.String(),
  created_at: api.timestamp,
})
export type WorkspaceJson = Static<typeof workspaceSchema>

const workspaceJson = jsonOf(workspaceSchema)

const on = operations({
  tag: 'workspaces',
  area: 'organizations',
  schema: workspaceSchema,
  one: 'The workspace.',
  page: 'Workspaces.',
})
const params = api.pathIds('workspace_id')
const inOrganization = api.pathIds('organization_id')

const create = on.create('createWorkspace', 'Create a workspace', {
  params: inOrganization,
  body: api.closed({ name: api.name }),
})

const list = on.list('listWorkspaces', 'List the workspaces of an organization', {
  params: inOrganization,
  querystring: listQuery(['name']),
})

const read = on.read('readWorkspace', 'Read a workspace', { params })

const readInOrganization = on.read(
  'readWorkspaceInOrganization',
  'Read a workspace of this organization',
  { params: api.pathIds('organization_id', 'workspace_id') },
)

const put = on.put('putWorkspace', 'Create or replace a workspace under an id of the platform', {
  checked: 'workspace_id',
  description:
    'The case of letters counts. A repetition changes nothing. An id that belongs to another organization is a conflict.',
  refusals: [404, 409],
  params: Type.Object({ ...inOrganization.properties, workspace_id: api.ownId('workspace') }),
  body: api.closed({ name: api.name }),
})

const change = on.change('changeWorkspace', 'Rename a workspace', {
  params,
  body: api.changes({ name: api.name }),
})

const remove = on.remove('deleteWorkspace', 'Delete a workspace; it is removed from installs', {
  params,
})

const path = '/workspaces/:workspace_id'
const inOrganizationPath = '/organizations/:organization_id/workspaces'

/** Workspaces of organizations. */
export const workspaceRoutes = (scope: Scope, { workspaces }: { workspaces: Workspaces }) => {
  scope.post(inOrganizationPath, create, async (request, reply) => {
    const draft = { ...fieldsOf(request.params), name: request.body.name }
    const created = await workspaces.create(draft, causeOf(request))
    reply.header('location', `${scope.prefix}/workspaces/${created.id}`)
    return workspaceJson(created)
  })

  scope.get(inOrganizationPath, list, async ({ params, query }) =>
    pageJson(await workspaces.list(params.organization_id, readPage(query)), workspaceJson),
  )

  scope.put(`${inOrganizationPath}/:workspace_id`, put, async (request, reply) => {
    const { organization_id: organizationId, workspace_id: id } = request.params
    const workspace = { organizationId, id, name: request.body.name }
    const { item, created } = await workspaces.put(workspace, ...changeOf(request, workspaceJson))
    if (created) reply.header('location', `${scope.prefix}/workspaces/${id}`)
    return workspaceJson(item)
  })

  scope.get(`${inOrganizationPath}/:workspace_id`, readInOrganization, async ({ params }) => {
    const workspace = await workspaces.read(params.workspace_id)
    if (workspace.organizationId !== params.organization_id) throw new NotFound('workspace')
    return workspaceJson(workspace)
  })

  scope.get(path, read, async ({ params }) =>
    workspaceJson(await workspaces.read(params.workspace_id)),
  )

  scope.patch(path, change, async (request) => {
    const { workspace_id } = request.params
    const { name } = request.body
    return workspaceJson(
      await workspaces.rename(workspace_id, name, ...changeOf(request, workspaceJson)),
    )
  })

  scope.delete(path, remove, async (request) => {
    await workspaces.remove(request.params.workspace_id, ...changeOf(request, workspaceJson))
  })
}
