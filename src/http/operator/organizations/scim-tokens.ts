import { type Static, Type } from 'typebox'
import {
  groupKinds,
  type ScimToken,
  type ScimTokens,
} from '../../../core/provisioning/scim-tokens.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const groups = api.oneOf(groupKinds, {
  description:
    'What the groups of the provider are: workspaces of the organization, one group `admin` for its admins, or groups that are nothing else.',
})

const scimTokenSchema = api.component(
  'ScimToken',
  'A token of an identity provider (SCIM), without its value.',
  {
    id: api.id,
    organization_id: api.id,
    name: Type.String(),
    groups,
    hint: Type.String({ description: 'Distinguishes tokens.' }),
    created_at: api.timestamp,
    last_used_at: api.nullable(
      Type.String({ format: 'date-time', description: 'Precise to a minute.' }),
    ),
  },
)
export type ScimTokenJson = Static<typeof scimTokenSchema>

const createdScimTokenSchema = api.component(
  'CreatedScimToken',
  'A new token of an identity provider (SCIM).',
  { ...scimTokenSchema.properties, token: api.shownOnce },
)
export type CreatedScimTokenJson = Static<typeof createdScimTokenSchema>

const write = jsonOf(scimTokenSchema)
const scimTokenJson = (token: ScimToken) => write({ ...token, groups: token.groupKind })

export const scimTokenRoutes = (scope: Scope, { scimTokens }: { scimTokens: ScimTokens }) => {
  const on = operations(scope, {
    tag: 'SCIM tokens',
    area: 'users',
    schema: scimTokenSchema,
    one: 'The token.',
    page: 'SCIM tokens.',
    json: scimTokenJson,
  })
  const path = '/organizations/:organization_id/scim-tokens'

  on.create(
    path,
    'createScimToken',
    'Create a token for the identity provider of an organization',
    {
      alsoPermission: 'organizations:write',
      description:
        'The provider then manages the users and groups of this organization through `/scim/v2`, roles, workspaces and groups too. ' +
        'Made by a token that is limited to organizations, it adds no account that exists outside of this one.',
      answer: { description: 'The token.', schema: createdScimTokenSchema },
      body: api.closed({ name: api.name, groups: Type.Optional(groups) }),
      run: async ({ params, body: { name, groups: groupKind = 'workspaces' } }, cause) => {
        const draft = { name, groupKind }
        const { token, ...made } = await scimTokens.create(params.organizationId, draft, cause)
        return { ...scimTokenJson(made), token }
      },
    },
  )

  on.list(path, 'listScimTokens', 'List the SCIM tokens of an organization', {
    querystring: listQuery(['name']),
    run: ({ params }, page) => scimTokens.list(params.organizationId, page),
  })

  on.remove(
    `${path}/:scim_token_id`,
    'deleteScimToken',
    'Delete a SCIM token; it is invalid at once on every instance',
    {
      description: 'Users and groups stay as they are.',
      run: ({ params: { organizationId, scimTokenId: id } }, ...context) =>
        scimTokens.remove({ organizationId, id }, ...context),
    },
  )
}
