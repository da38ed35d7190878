import { type Static, Type } from 'typebox'
import type { OperatorTokens } from '../../../core/credentials/operator-tokens.ts'
import { faultAt } from '../../../core/language/faults.ts'
import { Invalid } from '../../../core/language/service-errors.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const operatorTokenSchema = api.component(
  'OperatorToken',
  'A token for the Operator API, without its value.',
  {
    id: api.id,
    name: Type.String(),
    permissions: Type.Array(Type.String()),
    organization_ids: api.nullable(Type.Array(Type.String(), { description: 'null: all.' })),
    hint: Type.String({ description: 'Distinguishes tokens.' }),
    created_at: api.timestamp,
    last_used_at: api.nullable(
      Type.String({ format: 'date-time', description: 'Precise to a minute.' }),
    ),
    expires_at: api.nullable(api.timestamp),
  },
)
export type OperatorTokenJson = Static<typeof operatorTokenSchema>

const createdOperatorTokenSchema = api.component(
  'CreatedOperatorToken',
  'A new token for the Operator API.',
  { ...operatorTokenSchema.properties, token: api.shownOnce },
)

/** @throws Invalid for a leap second, which the format allows and `Date` does not */
const readExpiry = (text: string | null | undefined): Date | null => {
  if (text === null || text === undefined) return null
  const expiresAt = new Date(text)
  if (Number.isNaN(expiresAt.getTime()))
    throw new Invalid([faultAt('/expires_at', 'expires_at', 'is not a time')])
  return expiresAt
}

export const operatorTokenRoutes = (
  scope: Scope,
  { operatorTokens }: { operatorTokens: OperatorTokens },
) => {
  const on = operations(scope, {
    tag: 'operator tokens',
    area: '*',
    schema: operatorTokenSchema,
    one: 'The token.',
    page: 'Operator tokens.',
  })

  on.create('/operator-tokens', 'createOperatorToken', 'Create an operator token', {
    answer: { description: 'The token.', schema: createdOperatorTokenSchema },
    body: api.closed({
      name: api.name,
      permissions: api.operatorPermissionList({
        minItems: 1,
        maxItems: 50,
        description: '`*`: all, including future ones. To write does not include to read.',
      }),
      ...api.optional({
        organization_ids: api.organizationLimit(
          'The organizations that the token may reach; null: all. It then changes nothing outside of them, such as ' +
            'apps, and does not reach users.',
        ),
        expires_at: api.nullable({
          ...api.timestamp,
          'x-reason': 'expires_at',
          description: 'In the future; null: does not expire.',
        }),
      }),
    }),
    run: async ({ body: { organizationIds = null, expiresAt, ...rest } }, cause) => {
      const draft = { ...rest, organizationIds, expiresAt: readExpiry(expiresAt) }
      const { token, ...created } = await operatorTokens.create(draft, cause)
      return { ...on.json(created), token }
    },
  })

  on.list('/operator-tokens', 'listOperatorTokens', 'List operator tokens', {
    description: 'The token of the configuration is not among them.',
    querystring: listQuery(['name']),
    run: (_call, page) => operatorTokens.list(page),
  })

  on.remove(
    '/operator-tokens/:operator_token_id',
    'deleteOperatorToken',
    'Delete an operator token; it is invalid at once on every instance',
    { run: ({ params }, ...context) => operatorTokens.remove(params.operatorTokenId, ...context) },
  )
}
