import { type Static, Type } from 'typebox'
import { accentPattern } from '../../core/organizations/organization-brand.ts'
import type { Organization, Organizations } from '../../core/organizations/organizations.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { changes, closed, id, link, name, nullable, ownId, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const organizationSchema = Type.Object(
  {
    id,
    name: Type.String(),
    sandbox: Type.Boolean({ description: 'An owner of apps tries them here.' }),
    logo_uri: nullable(Type.String()),
    accent: nullable(Type.String()),
    created_at: timestamp,
  },
  { $id: 'Organization', description: 'A tenant.' },
)
export type OrganizationJson = Static<typeof organizationSchema>

const accent = nullable(
  Type.String({
    pattern: accentPattern,
    'x-reason': 'accent',
    description:
      'Accent colour of its own pages, such as #3355cc. The pages adjust the lightness, so that words stay readable.',
  }),
)

const organizationJson = jsonOf(organizationSchema)
const tagOf = (organization: Organization) => etagOf(organizationJson(organization))

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

const put = operation(
  {
    id: 'putOrganization',
    conditional: true,
    creates: true,
    checked: 'organization_id',
    tag,
    permission: 'organizations:write',
    summary: 'Create or replace an organization under an id of the platform',
    description: 'The case of letters counts. A repetition changes nothing.',
    answer,
  },
  { params: Type.Object({ organization_id: ownId('organization') }), body: closed({ name }) },
)

const change = operation(
  {
    id: 'changeOrganization',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Change an organization',
    answer,
    refusals: [404],
  },
  { params, body: changes({ name, logo_uri: Type.Optional(link), accent: Type.Optional(accent) }) },
)

const remove = operation(
  {
    id: 'deleteOrganization',
    conditional: true,
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

  scope.put('/organizations/:organization_id', put, async (request, reply) => {
    const { organization_id: id } = request.params
    const { name } = request.body
    const precondition = preconditionOf(request, tagOf)
    const { item, created } = await organizations.put(id, name, causeOf(request), precondition)
    if (created) reply.code(201).header('location', `${scope.prefix}/organizations/${id}`)
    return organizationJson(item)
  })

  scope.patch('/organizations/:organization_id', change, async (request) => {
    const { organization_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    const { name, logo_uri: logoUri, accent } = request.body
    const patch = { name, logoUri, accent }
    return organizationJson(
      await organizations.change(organization_id, patch, causeOf(request), precondition),
    )
  })

  scope.delete('/organizations/:organization_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await organizations.remove(request.params.organization_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
