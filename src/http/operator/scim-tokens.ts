import { type Static, Type } from 'typebox'
import { groupKinds, type ScimToken, type ScimTokens } from '../../core/provisioning/scim-tokens.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, id, name, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const groups = Type.Unsafe<(typeof groupKinds)[number]>({
  type: 'string',
  enum: [...groupKinds],
  description:
    'What the groups of the provider are: workspaces of the organization, or one group `admin` for its admins.',
})

const scimTokenFields = {
  id,
  organization_id: id,
  name: Type.String(),
  groups,
  hint: Type.String({ description: 'Distinguishes tokens.' }),
  created_at: timestamp,
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'Precise to a minute.' })),
}

export const scimTokenSchema = Type.Object(scimTokenFields, {
  $id: 'ScimToken',
  description: 'A token of an identity provider (SCIM), without its value.',
})
export type ScimTokenJson = Static<typeof scimTokenSchema>

export const createdScimTokenSchema = Type.Object(
  { ...scimTokenFields, token: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedScimToken', description: 'A new token of an identity provider (SCIM).' },
)
export type CreatedScimTokenJson = Static<typeof createdScimTokenSchema>

const write = jsonOf(scimTokenSchema)
const scimTokenJson = (token: ScimToken) => write({ ...token, groups: token.groupKind })

const tagOf = (token: ScimToken) => etagOf(scimTokenJson(token))

const tag = 'SCIM tokens'
const params = pathIds('organization_id')

const create = operation(
  {
    id: 'createScimToken',
    tag,
    permission: 'users:write',
    alsoPermission: 'organizations:write',
    summary: 'Create a token for the identity provider of an organization',
    description:
      'The provider then manages the users and groups of this organization through `/scim/v2`, roles and workspaces too. ' +
      'Made by a token that is limited to organizations, it adds no account that exists outside of this one.',
    answer: { status: 201, description: 'The token.', schema: reference('CreatedScimToken') },
    refusals: [404],
  },
  { params, body: closed({ name, groups: Type.Optional(groups) }) },
)

const list = operation(
  {
    id: 'listScimTokens',
    tag,
    permission: 'users:read',
    summary: 'List the SCIM tokens of an organization',
    answer: { status: 200, description: 'SCIM tokens.', schema: pageOf(reference('ScimToken')) },
    refusals: [404],
  },
  { params, querystring: pageQuery },
)

const remove = operation(
  {
    id: 'deleteScimToken',
    conditional: true,
    tag,
    permission: 'users:write',
    summary: 'Delete a SCIM token; it is invalid at once on every instance',
    description: 'Users and groups stay as they are.',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params: pathIds('organization_id', 'scim_token_id') },
)

/** Tokens of identity providers. */
export const scimTokenRoutes = (scope: OperatorScope, tokens: ScimTokens) => {
  scope.post('/organizations/:organization_id/scim-tokens', create, async (request, reply) => {
    const { name, groups: groupKind = 'workspaces' } = request.body
    const { organization_id } = request.params
    const draft = { name, groupKind }
    const { token, ...created } = await tokens.create(organization_id, draft, causeOf(request))
    reply.code(201)
    return { ...scimTokenJson(created), token }
  })

  scope.get('/organizations/:organization_id/scim-tokens', list, async ({ params, query }) =>
    pageJson(await tokens.list(params.organization_id, readPage(query)), scimTokenJson),
  )

  scope.delete(
    '/organizations/:organization_id/scim-tokens/:scim_token_id',
    remove,
    async (request, reply) => {
      const { organization_id, scim_token_id } = request.params
      const precondition = preconditionOf(request, tagOf)
      await tokens.remove(organization_id, scim_token_id, causeOf(request), precondition)
      return reply.code(204).send()
    },
  )
}
