import type { Static } from 'typebox'
import { type Members, roles } from '../../../core/organizations/members.ts'
import { changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

export const role = api.oneOf(roles)

const memberSchema = api.component('Member', 'A user of an organization.', {
  organization_id: api.id,
  user_id: api.id,
  role,
  created_at: api.timestamp,
})
export type MemberJson = Static<typeof memberSchema>

const memberJson = jsonOf(memberSchema)

const on = operations({
  tag: 'members',
  area: 'organizations',
  schema: memberSchema,
  one: 'The member.',
  page: 'Members.',
})
const params = api.pathIds('organization_id', 'user_id')

const put = on.put('putMember', "Add a member, or change a member's role", {
  params,
  body: api.closed({ role }),
})

const list = on.list('listMembers', 'List the members of an organization', {
  params: api.pathIds('organization_id'),
  rights: { q: 'users:read', name: 'users:read' },
  querystring: listQuery(['name'], { role }),
})

const read = on.read('readMember', 'Read a member', { params })

const remove = on.remove(
  'removeMember',
  'Remove a member from the organization and all of its workspaces',
  { answer: { description: 'Removed.' }, params },
)

const path = '/organizations/:organization_id/members'

/** Members of organizations. */
export const memberRoutes = (scope: Scope, { members }: { members: Members }) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(await members.list(params.organization_id, readPage(query)), memberJson),
  )

  scope.put(`${path}/:user_id`, put, async (request) => {
    const member = { ...fieldsOf(request.params), role: request.body.role }
    return memberJson(await members.put(member, ...changeOf(request, memberJson)))
  })

  scope.get(`${path}/:user_id`, read, async ({ params }) =>
    memberJson(await members.read(params.organization_id, params.user_id)),
  )

  scope.delete(`${path}/:user_id`, remove, async (request) => {
    await members.remove(fieldsOf(request.params), ...changeOf(request, memberJson))
  })
}
