import { type Static, Type } from 'typebox'
import {
  groupKinds,
  type ScimToken,
  type ScimTokens,
} from '../../../core/provisioning/scim-tokens.ts'
import { causeOf, changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const groups = api.oneOf(groupKinds, {
  description:
    'What the groups of the provider are: workspaces of the organization, one group `admin` for its admins, or groups that are nothing else.',
})

const scimTokenFields = {
  id: api.id,
  organization_id: api.id,
  name: Type.String(),
  groups,
  hint: Type.String({ description: 'Distinguishes tokens.' }),
  created_at: api.timestamp,
  last_used_at: api.nullable(
    Type.String({ format: 'date-time', description: 'Precise to a minute.' }),
  ),
}

const scimTokenSchema = api.component(
  'ScimToken',
  'A token of an identity provider (SCIM), without its value.',
  scimTokenFields,
)
export type ScimTokenJson = Static<typeof scimTokenSchema>

const createdScimTokenSchema = api.component(
  'CreatedScimToken',
  'A new token of an identity provider (SCIM).',
  { ...scimTokenFields, token: api.shownOnce },
)
export type CreatedScimTokenJson = Static<typeof createdScimTokenSchema>

const write = jsonOf(scimTokenSchema)
const scimTokenJson = (token: ScimToken) => write({ ...token, groups: token.groupKind })

const on = operations({
  tag: 'SCIM tokens',
  area: 'users',
  schema: scimTokenSchema,
  one: 'The token.',
  page: 'SCIM tokens.',
})
const params = api.pathIds('organization_id')

const create = on.create(
  'createScimToken',
  'Create a token for the identity provider of an organization',
  {
    alsoPermission: 'organizations:write',
    description:
      'The provider then manages the users and groups of this organization through `/scim/v2`, roles, workspaces and groups too. ' +
      'Made by a token that is limited to organizations, it adds no account that exists outside of this one.',
    answer: { description: 'The token.', schema: createdScimTokenSchema },
    params,
    body: api.closed({ name: api.name, groups: Type.Optional(groups) }),
  },
)

const list = on.list('listScimTokens', 'List the SCIM tokens of an organization', {
  params,
  querystring: listQuery(['name']),
})

const remove = on.remove(
  'deleteScimToken',
  'Delete a SCIM token; it is invalid at once on every instance',
  {
    description: 'Users and groups stay as they are.',
    params: api.pathIds('organization_id', 'scim_token_id'),
  },
)

/** Tokens of identity providers. */
export const scimTokenRoutes = (scope: Scope, { scimTokens }: { scimTokens: ScimTokens }) => {
  scope.post('/organizations/:organization_id/scim-tokens', create, async (request) => {
    const { name, groups: groupKind = 'workspaces' } = request.body
    const { organization_id } = request.params
    const draft = { name, groupKind }
    const { token, ...created } = await scimTokens.create(organization_id, draft, causeOf(request))
    return { ...scimTokenJson(created), token }
  })

  scope.get('/organizations/:organization_id/scim-tokens', list, async ({ params, query }) =>
    pageJson(await scimTokens.list(params.organization_id, readPage(query)), scimTokenJson),
  )

  scope.delete(
    '/organizations/:organization_id/scim-tokens/:scim_token_id',
    remove,
    async (request) => {
      const { organization_id: organizationId, scim_token_id: id } = request.params
      await scimTokens.remove({ organizationId, id }, ...changeOf(request, scimTokenJson))
    },
  )
}
