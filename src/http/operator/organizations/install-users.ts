import { type Static, Type } from 'typebox'
import type { ConsentEnds } from '../../../core/authorization/consent-ends.ts'
import type { AccessEnd } from '../../../core/grants/access-end.ts'
import type { AudiencePeople, AudiencePerson } from '../../../core/grants/audience-people.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { expiresAt, idleSeconds, withEnd } from './install-fields.ts'

const consentSchema = api.component('Consent', "A user's consent to an installed app.", {
  organization_id: api.id,
  client_id: api.id,
  user_id: api.id,
  permissions: Type.Array(Type.String()),
  workspace_ids: api.nullable(Type.Array(Type.String())),
  expires_at: api.nullable(api.timestamp),
  idle_seconds: api.nullable(Type.Integer()),
  created_at: api.timestamp,
})

const audiencePersonSchema = api.component(
  'AudiencePerson',
  'A member of the organization, and whether the install is for them.',
  {
    user: api.id,
    inside: Type.Boolean(),
    why: Type.String({
      description: '`everyone`, `workspace`, `group`, `user`, `denied` or `not_in_audience`.',
    }),
  },
)

export type AudiencePersonJson = Static<typeof audiencePersonSchema>

const personJson = ({ userId, reason }: Pick<AudiencePerson, 'userId' | 'reason'>) => ({
  user: userId,
  inside: reason !== 'denied' && reason !== 'not_in_audience',
  why: reason,
})

/** Users of an installed app: the end of their access, and their consents, as far as an operator may change them. */
export const installUserRoutes = (
  scope: Scope,
  { accessEnd, consentEnds }: { accessEnd: AccessEnd; consentEnds: ConsentEnds },
) => {
  const on = operations(scope, {
    area: 'installs',
    schema: consentSchema,
    one: 'The consent.',
  })
  const path = '/organizations/:organization_id/installs/:client_id/users/:user_id'

  on.act(path, 'endUserAccess', 'End the access of an app for one user in an organization', {
    method: 'DELETE',
    description:
      'Revokes the consent and all grants of the user for the app there. Its tokens are refused at once. The install ' +
      'and other users are not affected; the user may allow the app again. A repetition changes nothing.',
    answer: { status: 204, description: 'The user has no access by this app any more.' },
    run: ({ params }, cause) => accessEnd(params, cause),
  })

  on.read(path, 'readConsent', "Read a user's consent to an installed app", {
    run: ({ params }) => consentEnds.read(params),
  })

  on.change(path, 'changeConsent', "Change the end of a user's consent", {
    body: api.changes({ expires_at: expiresAt, idle_seconds: idleSeconds }),
    run: ({ params, body }, ...context) => consentEnds.change(params, withEnd(body), ...context),
  })
}

/** For whom an install is, person by person. */
export const audiencePeopleRoutes = (
  scope: Scope,
  { audiencePeople }: { audiencePeople: AudiencePeople },
) => {
  const on = operations(scope, {
    area: 'installs',
    schema: audiencePersonSchema,
    one: 'The member.',
    page: 'Members of the organization.',
    json: personJson,
  })
  const path = '/organizations/:organization_id/installs/:client_id'

  on.list(
    `${path}/people`,
    'listAudience',
    'List the members of an organization, and whom an install is for',
    {
      rights: { q: 'users:read', name: 'users:read', email: 'users:read' },
      querystring: listQuery(['name', 'email']),
      // Not by name: a cursor has what the list is sorted by.
      run: ({ params }, page) =>
        audiencePeople.list(params, { ...page, sort: page.sort ?? 'created_at' }),
    },
  )

  on.act(`${path}/denied/:user_id`, 'denyPerson', 'Deny a member an app, whatever its audience', {
    method: 'PUT',
    description:
      'Revokes the consent and all grants of the member for the app there, for good. They cannot allow it again until the ' +
      'denial is deleted. It stays when the member leaves and when the app is uninstalled.',
    creates: true,
    run: async ({ params, request }, cause) => {
      request.isNew = await audiencePeople.deny(params, cause)
      return personJson({ userId: params.userId, reason: 'denied' })
    },
  })

  on.act(`${path}/denied/:user_id`, 'admitPerson', 'Take the denial of an app back', {
    method: 'DELETE',
    description: 'Revives nothing. A repetition changes nothing.',
    answer: { status: 204, description: 'The person is not denied the app.' },
    run: ({ params }, cause) => audiencePeople.admit(params, cause),
  })
}
