// Users as operators: what they may do in the console.
import { type Static, Type } from 'typebox'
import type { OperatorGrants } from '../../../core/credentials/operator-grants.ts'
import { changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
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

const operatorJson = jsonOf(userOperatorSchema)

const on = operations({
  tag: 'operators',
  area: '*',
  schema: userOperatorSchema,
  one: 'The user as an operator.',
  page: 'Operators.',
})
const params = api.pathIds('user_id')

const list = on.list('listOperators', 'List the users who are operators', {
  querystring: listQuery(['email']),
})

const read = on.read('readOperator', 'Read what a user may do in the console', { params })

const put = on.put('putOperator', 'Make a user an operator, or change what the operator may do', {
  description:
    'The user signs in with a passkey and uses the console under /operator, with the same permissions as an operator ' +
    'token. An empty list ends it. It takes effect with the next request.',
  params,
  body: api.closed({
    permissions: api.operatorPermissionList({
      maxItems: 50,
      description: '`*`: all, including future ones.',
    }),
  }),
})

const remove = on.remove('deleteOperator', 'End what a user may do in the console, at once', {
  answer: { description: 'Ended.' },
  params,
})

const path = '/users/:user_id/operator'

/** Operators are users with a passkey. */
export const operatorRoutes = (scope: Scope, { operators }: { operators: OperatorGrants }) => {
  scope.get('/operators', list, async ({ query }) =>
    pageJson(await operators.list(readPage(query)), operatorJson),
  )

  scope.get(path, read, async ({ params }) => operatorJson(await operators.read(params.user_id)))

  scope.put(path, put, async (request) => {
    const { permissions } = request.body
    const { user_id } = request.params
    const [cause, precondition] = changeOf(request, operatorJson)
    const put = await operators.put(user_id, permissions, cause, (before) => {
      precondition(before)
      // Each user has this resource; one without permissions is not an operator yet.
      request.isNew = before?.permissions.length === 0 && permissions.length > 0
    })
    return operatorJson(put)
  })

  scope.delete(path, remove, async (request) => {
    await operators.put(request.params.user_id, [], ...changeOf(request, operatorJson))
  })
}
