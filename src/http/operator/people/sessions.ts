import { type Static, Type } from 'typebox'
import type { Sessions } from '../../../core/people/sessions.ts'
import type { Users } from '../../../core/people/users.ts'
import { causeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { pageJson } from '../paging.ts'
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

const sessionJson = jsonOf(userSessionSchema)

const on = operations({
  tag: 'users',
  area: 'users',
  schema: userSessionSchema,
  one: 'Sessions.',
})
const params = api.pathIds('user_id')

const list = on.read('listUserSessions', 'List the sessions of a user, most recently used first', {
  description: 'Not paged: a user has at most LIMIT_SESSIONS sessions.',
  answer: { description: 'Sessions.', items: userSessionSchema },
  params,
})

const endAll = on.act('deleteUserSessions', 'End all sessions of a user', {
  description: 'The user is signed out at once on every instance. Grants of apps stay valid.',
  answer: { status: 204, description: 'Ended.' },
  params,
})

/** Sessions of users. */
export const userSessionRoutes = (
  scope: Scope,
  { users, sessions }: { users: Pick<Users, 'read'>; sessions: Pick<Sessions, 'list' | 'endAll'> },
) => {
  scope.get('/users/:user_id/sessions', list, async ({ params }) => {
    const { id } = await users.read(params.user_id)
    return pageJson({ items: await sessions.list(id), next: null }, sessionJson)
  })

  scope.delete('/users/:user_id/sessions', endAll, async (request) => {
    const { id: userId } = await users.read(request.params.user_id)
    await sessions.endAll({ userId }, causeOf(request))
  })
}
