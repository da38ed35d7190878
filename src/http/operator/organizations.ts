import { Type } from 'typebox'
import type { Organizations } from '../../core/organizations/organizations.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { changes, closed, id, name, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const organizationSchema = Type.Object(
  { id, name: Type.String(), created_at: timestamp },
  { $id: 'Organization', description: 'A tenant.' },
)

const organizationJson = jsonOf(organizationSchema)

const tag = 'organizations'
const params = pathIds('organization_id')
const organization = reference('Organization')
const answer = { status: 200, description: 'The organization.', schema: organization } as const

const create = operation(
  {
    id: 'createOrganization',
    tag,
    permission: 'organizations:write',
    summary: 'Create an organization',
    answer: { ...answer, status: 201 },
  },
  { body: closed({ name }) },
)

const list = operation(
  {
    id: 'listOrganizations',
    tag,
    permission: 'organizations:read',
    limited: 'checked',
    summary: 'List organizations',
    description: 'A token that is limited to organizations gets these only.',
    answer: { status: 200, description: 'Organizations.', schema: pageOf(organization) },
  },
  { querystring: pageQuery },
)

const read = operation(
  {
    id: 'readOrganization',
    tag,
    permission: 'organizations:read',
    summary: 'Read an organization',
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeOrganization',
    tag,
    permission: 'organizations:write',
    summary: 'Rename an organization',
    answer,
    refusals: [404],
  },
  { params, body: changes({ name }) },
)

const remove = operation(
  {
    id: 'deleteOrganization',
    tag,
    permission: 'organizations:write',
    summary: 'Delete an organization with everything in it',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

/** Tenants. */
export const organizationRoutes = (scope: OperatorScope, organizations: Organizations) => {
  scope.post('/organizations', create, async (request, reply) => {
    const created = await organizations.create(request.body.name, causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/organizations/${created.id}`)
    return organizationJson(created)
  })

  scope.get('/organizations', list, async ({ query, operator }) =>
    pageJson(await organizations.list(readPage(query), operator.organizationIds), organizationJson),
  )

  scope.get('/organizations/:organization_id', read, async ({ params }) =>
    organizationJson(await organizations.read(params.organization_id)),
  )

  scope.patch('/organizations/:organization_id', change, async (request) => {
    const { organization_id } = request.params
    const { name } = request.body
    return organizationJson(
      name === undefined
        ? await organizations.read(organization_id)
        : await organizations.rename(organization_id, name, causeOf(request)),
    )
  })

  scope.delete('/organizations/:organization_id', remove, async (request, reply) => {
    await organizations.remove(request.params.organization_id, causeOf(request))
    return reply.code(204).send()
  })
}
