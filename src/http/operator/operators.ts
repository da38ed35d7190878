// Users as operators: what they may do in the console.
import { type Static, Type } from 'typebox'
import type { OperatorGrant, OperatorGrants } from '../../core/credentials/operator-grants.ts'
import { operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'
import { hasSignedIn } from './users.ts'

export const userOperatorSchema = Type.Object(
  {
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    disabled: Type.Boolean(),
    has_signed_in: hasSignedIn,
    permissions: Type.Array(Type.String(), { description: 'Empty: the user is no operator.' }),
    created_at: nullable(timestamp),
  },
  { $id: 'UserOperator', description: 'What a user may do in the operator’s console.' },
)
export type UserOperatorJson = Static<typeof userOperatorSchema>

const operatorJson = jsonOf(userOperatorSchema)
const tagOf = (grant: OperatorGrant) => etagOf(operatorJson(grant))

const tag = 'operators'
const params = pathIds('user_id')
const answer = {
  status: 200,
  description: 'The user as an operator.',
  schema: reference('UserOperator'),
} as const

const list = operation(
  {
    id: 'listOperators',
    tag,
    permission: '*',
    summary: 'List the users who are operators',
    answer: { status: 200, description: 'Operators.', schema: pageOf(reference('UserOperator')) },
  },
  { querystring: pageQuery },
)

const read = operation(
  {
    id: 'readOperator',
    tag,
    permission: '*',
    summary: 'Read what a user may do in the console',
    answer,
    refusals: [404],
  },
  { params },
)

const put = operation(
  {
    id: 'putOperator',
    conditional: true,
    tag,
    permission: '*',
    summary: 'Make a user an operator, or change what the operator may do',
    description:
      'The user signs in with a passkey and uses the console under /operator, with the same permissions as an operator ' +
      'token. An empty list ends it. It takes effect with the next request.',
    answer,
    refusals: [404],
  },
  {
    params,
    body: closed({
      permissions: Type.Array(
        Type.Unsafe<string>({
          type: 'string',
          enum: ['*', ...operatorPermissions],
          'x-reason': 'unknown_permission',
        }),
        { maxItems: 50, description: '`*`: all, including future ones.' },
      ),
    }),
  },
)

const remove = operation(
  {
    id: 'deleteOperator',
    conditional: true,
    tag,
    permission: '*',
    summary: 'End what a user may do in the console, at once',
    answer: { status: 204, description: 'Ended.' },
    refusals: [404],
  },
  { params },
)

const path = '/users/:user_id/operator'

/** Operators are users with a passkey. */
export const operatorRoutes = (scope: OperatorScope, operators: OperatorGrants) => {
  scope.get('/operators', list, async ({ query }) =>
    pageJson(await operators.list(readPage(query)), operatorJson),
  )

  scope.get(path, read, async ({ params }) => operatorJson(await operators.read(params.user_id)))

  scope.put(path, put, async (request) => {
    const precondition = preconditionOf(request, tagOf)
    const { permissions } = request.body
    const { user_id } = request.params
    return operatorJson(await operators.put(user_id, permissions, causeOf(request), precondition))
  })

  scope.delete(path, remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await operators.put(request.params.user_id, [], causeOf(request), precondition)
    return reply.code(204).send()
  })
}
