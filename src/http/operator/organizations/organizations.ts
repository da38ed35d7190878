import { type Static, Type } from 'typebox'
import { accentPattern } from '../../../core/organizations/organization-brand.ts'
import type { Organizations } from '../../../core/organizations/organizations.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const organizationSchema = api.component('Organization', 'A tenant.', {
  id: api.id,
  name: Type.String(),
  sandbox: Type.Boolean({ description: 'An owner of apps tries them here.' }),
  logo_uri: api.nullable(Type.String()),
  accent: api.nullable(Type.String()),
  created_at: api.timestamp,
})
export type OrganizationJson = Static<typeof organizationSchema>

const accent = api.nullable(
  Type.String({
    pattern: accentPattern,
    'x-reason': 'accent',
    description:
      'Accent colour of its own pages, such as #3355cc. The pages adjust the lightness, so that words stay readable.',
  }),
)

const organizationJson = jsonOf(organizationSchema)

const on = operations({
  tag: 'organizations',
  area: 'organizations',
  schema: organizationSchema,
  one: 'The organization.',
  page: 'Organizations.',
})
const params = api.pathIds('organization_id')

const create = on.create('createOrganization', 'Create an organization', {
  body: api.closed({ name: api.name }),
})

const list = on.list('listOrganizations', 'List organizations', {
  limited: 'checked',
  description: 'A token that is limited to organizations gets these only.',
  querystring: listQuery(['name'], {
    sandbox: Type.Boolean(),
    suspended_apps: Type.Boolean({ description: 'It has suspended an app, or all of them.' }),
  }),
})

const read = on.read('readOrganization', 'Read an organization', { params })

const put = on.put(
  'putOrganization',
  'Create or replace an organization under an id of the platform',
  {
    checked: 'organization_id',
    description: 'The case of letters counts. A repetition changes nothing.',
    refusals: [],
    params: Type.Object({ organization_id: api.ownId('organization') }),
    body: api.closed({ name: api.name }),
  },
)

const change = on.change('changeOrganization', 'Change an organization', {
  params,
  body: api.changes({
    name: api.name,
    logo_uri: Type.Optional(api.link),
    accent: Type.Optional(accent),
  }),
})

const remove = on.remove('deleteOrganization', 'Delete an organization with everything in it', {
  params,
})

const path = '/organizations/:organization_id'

/** Tenants. */
export const organizationRoutes = (
  scope: Scope,
  { organizations }: { organizations: Organizations },
) => {
  scope.post('/organizations', create, async (request, reply) => {
    const created = await organizations.create(request.body.name, causeOf(request))
    reply.header('location', `${scope.prefix}/organizations/${created.id}`)
    return organizationJson(created)
  })

  scope.get('/organizations', list, async ({ query, operator }) =>
    pageJson(await organizations.list(readPage(query), operator.organizationIds), organizationJson),
  )

  scope.get(path, read, async ({ params }) =>
    organizationJson(await organizations.read(params.organization_id)),
  )

  scope.put(path, put, async (request, reply) => {
    const { organization_id: id } = request.params
    const context = changeOf(request, organizationJson)
    const { item, created } = await organizations.put({ id, name: request.body.name }, ...context)
    if (created) reply.header('location', `${scope.prefix}/organizations/${id}`)
    return organizationJson(item)
  })

  scope.patch(path, change, async (request) => {
    const { organization_id } = request.params
    const context = changeOf(request, organizationJson)
    const patch = fieldsOf(request.body)
    return organizationJson(await organizations.change(organization_id, patch, ...context))
  })

  scope.delete(path, remove, async (request) => {
    const context = changeOf(request, organizationJson)
    await organizations.remove(request.params.organization_id, ...context)
  })
}
