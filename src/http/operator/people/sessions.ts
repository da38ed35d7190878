import { type Static, Type } from 'typebox'
import type { Sessions } from '../../../core/people/sessions.ts'
import type { Users } from '../../../core/people/users.ts'
import { operations, type Scope } from '../operations.ts'
import * as api from '../schemas.ts'

const userSessionSchema = api.component('UserSession', 'A browser in which a user is signed in.', {
  id: api.id,
  methods: Type.Array(Type.Enum(['password', 'passkey', 'oidc'])),
  address: api.nullable(Type.String({ description: 'The address of the sign-in.' })),
  browser: api.nullable(Type.String()),
  system: api.nullable(Type.String()),
  created_at: api.timestamp,
  last_seen_at: Type.String({ format: 'date-time', description: 'Precise to a minute.' }),
})
export type UserSessionJson = Static<typeof userSessionSchema>

export const userSessionRoutes = (
  scope: Scope,
  { users, sessions }: { users: Pick<Users, 'read'>; sessions: Pick<Sessions, 'list' | 'endAll'> },
) => {
  const on = operations(scope, {
    area: 'users',
    schema: userSessionSchema,
    one: 'Sessions.',
  })
  const path = '/users/:user_id/sessions'

  on.list(path, 'listUserSessions', 'List the sessions of a user, most recently used first', {
    description: 'Not paged: a user has at most LIMIT_SESSIONS sessions.',
    querystring: null,
    run: async ({ params }) => {
      const { id } = await users.read(params.userId)
      return { items: await sessions.list(id), next: null }
    },
  })

  on.act(path, 'deleteUserSessions', 'End all sessions of a user', {
    method: 'DELETE',
    description: 'The user is signed out at once on every instance. Grants of apps stay valid.',
    answer: { status: 204, description: 'Ended.' },
    run: async ({ params }, cause) => {
      const { id: userId } = await users.read(params.userId)
      await sessions.endAll({ userId }, cause)
    },
  })
}
