import type { Static } from 'typebox'
import { type Members, roles } from '../../../core/organizations/members.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

export const role = api.oneOf(roles)

const memberSchema = api.component('Member', 'A user of an organization.', {
  organization_id: api.id,
  user_id: api.id,
  role,
  created_at: api.timestamp,
})
export type MemberJson = Static<typeof memberSchema>

export const memberRoutes = (scope: Scope, { members }: { members: Members }) => {
  const on = operations(scope, {
    tag: 'members',
    area: 'organizations',
    schema: memberSchema,
    one: 'The member.',
    page: 'Members.',
  })
  const path = '/organizations/:organization_id/members'

  on.list(path, 'listMembers', 'List the members of an organization', {
    rights: { q: 'users:read', name: 'users:read' },
    querystring: listQuery(['name'], { role }),
    run: ({ params }, page) => members.list(params.organizationId, page),
  })

  on.put(`${path}/:user_id`, 'putMember', "Add a member, or change a member's role", {
    body: api.closed({ role }),
    run: ({ params, body }, ...context) => members.put({ ...params, ...body }, ...context),
  })

  on.read(`${path}/:user_id`, 'readMember', 'Read a member', {
    run: ({ params }) => members.read(params.organizationId, params.userId),
  })

  on.remove(
    `${path}/:user_id`,
    'removeMember',
    'Remove a member from the organization and all of its workspaces',
    {
      answer: { description: 'Removed.' },
      run: ({ params }, ...context) => members.remove(params, ...context),
    },
  )
}
