import { type Static, Type } from 'typebox'
import { accentPattern } from '../../../core/organizations/organization-brand.ts'
import type { Organizations } from '../../../core/organizations/organizations.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
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

export const organizationRoutes = (
  scope: Scope,
  { organizations }: { organizations: Organizations },
) => {
  const on = operations(scope, {
    area: 'organizations',
    schema: organizationSchema,
    one: 'The organization.',
    page: 'Organizations.',
    location: ({ id }) => `/organizations/${id}`,
  })
  const path = '/organizations/:organization_id'

  on.create('/organizations', 'createOrganization', 'Create an organization', {
    body: api.closed({ name: api.name }),
    run: async ({ body }, cause) => on.json(await organizations.create(body.name, cause)),
  })

  on.list('/organizations', 'listOrganizations', 'List organizations', {
    limited: 'checked',
    description: 'A token that is limited to organizations gets these only.',
    querystring: listQuery(['name'], {
      sandbox: Type.Boolean(),
      suspended_apps: Type.Boolean({ description: 'It has suspended an app, or all of them.' }),
    }),
    run: ({ request }, page) => organizations.list(page, request.operator.organizationIds),
  })

  on.read(path, 'readOrganization', 'Read an organization', {
    run: ({ params }) => organizations.read(params.organizationId),
  })

  on.put(path, 'putOrganization', 'Create or replace an organization under an id of the platform', {
    checked: 'organization_id',
    description: 'The case of letters counts. A repetition changes nothing.',
    refusals: [],
    params: Type.Object({ organization_id: api.ownId('organization') }),
    body: api.closed({ name: api.name }),
    run: async ({ params: { organizationId: id }, body }, ...context) =>
      (await organizations.put({ id, ...body }, ...context)).item,
  })

  on.change(path, 'changeOrganization', 'Change an organization', {
    body: api.changes({ name: api.name, logo_uri: api.link, accent }),
    run: ({ params, body }, ...context) =>
      organizations.change(params.organizationId, body, ...context),
  })

  on.remove(path, 'deleteOrganization', 'Delete an organization with everything in it', {
    run: ({ params }, ...context) => organizations.remove(params.organizationId, ...context),
  })
}
