import { type Static, Type } from 'typebox'
import type { AudiencePeople, AudiencePerson } from '../../../core/grants/audience-people.ts'
import { causeOf } from '../change.ts'
import { fieldsOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

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

const on = operations({
  tag: 'installs',
  area: 'installs',
  schema: audiencePersonSchema,
  one: 'The member.',
  page: 'Members of the organization.',
})

const list = on.list(
  'listAudience',
  'List the members of an organization, and whom an install is for',
  {
    params: api.pathIds('organization_id', 'client_id'),
    rights: { q: 'users:read', name: 'users:read', email: 'users:read' },
    querystring: listQuery(['name', 'email']),
  },
)

const params = api.pathIds('organization_id', 'client_id', 'user_id')

const deny = on.act('denyPerson', 'Deny a member an app, whatever its audience', {
  description:
    'Revokes the consent and all grants of the member for the app there, for good. They cannot allow it again until the ' +
    'denial is deleted. It stays when the member leaves and when the app is uninstalled.',
  creates: true,
  params,
})

const admit = on.act('admitPerson', 'Take the denial of an app back', {
  description: 'Revives nothing. A repetition changes nothing.',
  answer: { status: 204, description: 'The person is not denied the app.' },
  params,
})

const path = '/organizations/:organization_id/installs/:client_id'

/** For whom an install is, person by person. */
export const audiencePeopleRoutes = (
  scope: Scope,
  { audiencePeople }: { audiencePeople: AudiencePeople },
) => {
  scope.get(`${path}/people`, list, async ({ params, query }) => {
    // Not by name: a cursor has what the list is sorted by.
    const page = readPage({ sort: 'created_at', ...query })
    return pageJson(await audiencePeople.list(fieldsOf(params), page), personJson)
  })

  scope.put(`${path}/denied/:user_id`, deny, async (request) => {
    const person = fieldsOf(request.params)
    request.isNew = await audiencePeople.deny(person, causeOf(request))
    return personJson({ ...person, reason: 'denied' })
  })

  scope.delete(`${path}/denied/:user_id`, admit, async (request) => {
    await audiencePeople.admit(fieldsOf(request.params), causeOf(request))
  })
}
