import { type Static, Type } from 'typebox'
import { operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import type { OperatorToken, OperatorTokens } from '../../core/credentials/operator-tokens.ts'
import { faultAt } from '../../core/language/faults.ts'
import { Invalid } from '../../core/language/service-errors.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, id, name, nullable, otherOrganizationId, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const mostOrganizations = 1000

const operatorTokenFields = {
  id,
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  organization_ids: nullable(Type.Array(Type.String(), { description: 'null: all.' })),
  hint: Type.String({ description: 'Distinguishes tokens.' }),
  created_at: timestamp,
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'Precise to a minute.' })),
  expires_at: nullable(timestamp),
}

export const operatorTokenSchema = Type.Object(operatorTokenFields, {
  $id: 'OperatorToken',
  description: 'A token for the Operator API, without its value.',
})
export type OperatorTokenJson = Static<typeof operatorTokenSchema>

export const createdOperatorTokenSchema = Type.Object(
  { ...operatorTokenFields, token: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedOperatorToken', description: 'A new token for the Operator API.' },
)

const operatorTokenJson = jsonOf(operatorTokenSchema)

const tag = 'operator tokens'

const create = operation(
  {
    id: 'createOperatorToken',
    tag,
    permission: '*',
    summary: 'Create an operator token',
    answer: {
      status: 201,
      description: 'The token.',
      schema: reference('CreatedOperatorToken'),
    },
  },
  {
    body: closed({
      name,
      permissions: Type.Array(
        Type.Unsafe<string>({
          type: 'string',
          enum: ['*', ...operatorPermissions],
          'x-reason': 'unknown_permission',
        }),
        {
          minItems: 1,
          maxItems: 50,
          description: '`*`: all, including future ones. To write does not include to read.',
        },
      ),
      organization_ids: Type.Optional(
        nullable(
          Type.Array(otherOrganizationId, {
            minItems: 1,
            maxItems: mostOrganizations,
            description:
              'The organizations that the token may reach; null: all. It then changes nothing outside of them, such as ' +
              'apps, and does not reach users.',
          }),
        ),
      ),
      expires_at: Type.Optional(
        nullable(
          Type.String({
            format: 'date-time',
            'x-reason': 'expires_at',
            description: 'In the future; null: does not expire.',
          }),
        ),
      ),
    }),
  },
)

const list = operation(
  {
    id: 'listOperatorTokens',
    tag,
    permission: '*',
    summary: 'List operator tokens',
    description: 'The token of the configuration is not among them.',
    answer: {
      status: 200,
      description: 'Operator tokens.',
      schema: pageOf(reference('OperatorToken')),
    },
  },
  { querystring: pageQuery },
)

const remove = operation(
  {
    id: 'deleteOperatorToken',
    conditional: true,
    tag,
    permission: '*',
    summary: 'Delete an operator token; it is invalid at once on every instance',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params: pathIds('operator_token_id') },
)

/** @throws Invalid for a leap second, which the format allows and `Date` does not */
const readExpiry = (text: string | null | undefined): Date | null => {
  if (text === null || text === undefined) return null
  const expiresAt = new Date(text)
  if (Number.isNaN(expiresAt.getTime()))
    throw new Invalid([faultAt('/expires_at', 'expires_at', 'is not a time')])
  return expiresAt
}

const tagOf = (token: OperatorToken) => etagOf(operatorTokenJson(token))

/** Tokens of this API. */
export const operatorTokenRoutes = (scope: OperatorScope, tokens: OperatorTokens) => {
  scope.post('/operator-tokens', create, async (request, reply) => {
    const { organizationIds = null, expiresAt, ...rest } = fieldsOf(request.body)
    const draft = { ...rest, organizationIds, expiresAt: readExpiry(expiresAt) }
    const { token, ...created } = await tokens.create(draft, causeOf(request))
    reply.code(201)
    return { ...operatorTokenJson(created), token }
  })

  scope.get('/operator-tokens', list, async ({ query }) =>
    pageJson(await tokens.list(readPage(query)), operatorTokenJson),
  )

  scope.delete('/operator-tokens/:operator_token_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await tokens.remove(request.params.operator_token_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
