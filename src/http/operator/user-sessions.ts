import { type Static, Type } from 'typebox'
import type { Sessions } from '../../core/people/sessions.ts'
import type { Users } from '../../core/people/users.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf } from './paging.ts'
import { id, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const userSessionSchema = Type.Object(
  {
    id,
    methods: Type.Array(Type.Enum(['password', 'passkey', 'oidc'])),
    address: nullable(Type.String({ description: 'The address of the sign-in.' })),
    browser: nullable(Type.String()),
    system: nullable(Type.String()),
    created_at: timestamp,
    last_seen_at: Type.String({ format: 'date-time', description: 'Precise to a minute.' }),
  },
  { $id: 'UserSession', description: 'A browser in which a user is signed in.' },
)
export type UserSessionJson = Static<typeof userSessionSchema>

const sessionJson = jsonOf(userSessionSchema)

const tag = 'users'
const params = pathIds('user_id')

const list = operation(
  {
    id: 'listUserSessions',
    tag,
    permission: 'users:read',
    summary: 'List the sessions of a user, most recently used first',
    description: 'Not paged: a user has at most LIMIT_SESSIONS sessions.',
    answer: { status: 200, description: 'Sessions.', schema: pageOf(reference('UserSession')) },
    refusals: [404],
  },
  { params },
)

const endAll = operation(
  {
    id: 'deleteUserSessions',
    tag,
    permission: 'users:write',
    summary: 'End all sessions of a user',
    description: 'The user is signed out at once on every instance. Grants of apps stay valid.',
    answer: { status: 204, description: 'Ended.' },
    refusals: [404],
  },
  { params },
)

/** Sessions of users. */
export const userSessionRoutes = (
  scope: OperatorScope,
  users: Pick<Users, 'read'>,
  sessions: Pick<Sessions, 'list' | 'endAll'>,
) => {
  scope.get('/users/:user_id/sessions', list, async ({ params }) => {
    const { id } = await users.read(params.user_id)
    return pageJson({ items: await sessions.list(id), next: null }, sessionJson)
  })

  scope.delete('/users/:user_id/sessions', endAll, async (request, reply) => {
    const { id } = await users.read(request.params.user_id)
    await sessions.endAll(id, null, causeOf(request))
    return reply.code(204).send()
  })
}
