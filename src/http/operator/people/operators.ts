// Users as operators: what they may do in the console.
import { type Static, Type } from 'typebox'
import type { OperatorGrants } from '../../../core/credentials/operator-grants.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { hasSignedIn } from './users.ts'

const userOperatorSchema = api.component(
  'UserOperator',
  'What a user may do in the operator’s console.',
  {
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    disabled: Type.Boolean(),
    has_signed_in: hasSignedIn,
    permissions: Type.Array(Type.String(), { description: 'Empty: the user is no operator.' }),
    created_at: api.nullable(api.timestamp),
  },
)
export type UserOperatorJson = Static<typeof userOperatorSchema>

/** Operators are users with a passkey. */
export const operatorRoutes = (scope: Scope, { operators }: { operators: OperatorGrants }) => {
  const on = operations(scope, {
    tag: 'operators',
    area: '*',
    schema: userOperatorSchema,
    one: 'The user as an operator.',
    page: 'Operators.',
  })
  const path = '/users/:user_id/operator'

  on.list('/operators', 'listOperators', 'List the users who are operators', {
    querystring: listQuery(['email']),
    run: (_call, page) => operators.list(page),
  })

  on.read(path, 'readOperator', 'Read what a user may do in the console', {
    run: ({ params }) => operators.read(params.userId),
  })

  on.put(path, 'putOperator', 'Make a user an operator, or change what the operator may do', {
    description:
      'The user signs in with a passkey and uses the console under /operator, with the same permissions as an operator ' +
      'token. An empty list ends it. It takes effect with the next request.',
    body: api.closed({
      permissions: api.operatorPermissionList({
        maxItems: 50,
        description: '`*`: all, including future ones.',
      }),
    }),
    run: ({ params, body: { permissions }, request }, cause, precondition) =>
      operators.put(params.userId, permissions, cause, (before) => {
        precondition(before)
        // Each user has this resource; one without permissions is not an operator yet.
        request.isNew = before?.permissions.length === 0 && permissions.length > 0
      }),
  })

  on.remove(path, 'deleteOperator', 'End what a user may do in the console, at once', {
    answer: { description: 'Ended.' },
    run: ({ params }, ...context) => operators.put(params.userId, [], ...context),
  })
}
