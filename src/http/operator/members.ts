import { type Static, Type } from 'typebox'
import { type Member, type Members, type Role, roles } from '../../core/organizations/members.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, id, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const role = Type.Unsafe<Role>({ type: 'string', enum: [...roles] })

export const memberSchema = Type.Object(
  { organization_id: id, user_id: id, role, created_at: timestamp },
  { $id: 'Member', description: 'A user of an organization.' },
)
export type MemberJson = Static<typeof memberSchema>

const memberJson = jsonOf(memberSchema)
const tagOf = (member: Member) => etagOf(memberJson(member))

const tag = 'members'
const params = pathIds('organization_id', 'user_id')
const member = reference('Member')
const answer = { status: 200, description: 'The member.', schema: member } as const

const put = operation(
  {
    id: 'putMember',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: "Add a member, or change a member's role",
    answer,
    refusals: [404],
  },
  { params, body: closed({ role }) },
)

const list = operation(
  {
    id: 'listMembers',
    tag,
    permission: 'organizations:read',
    summary: 'List the members of an organization',
    answer: { status: 200, description: 'Members.', schema: pageOf(member) },
    refusals: [404],
  },
  { params: pathIds('organization_id'), querystring: pageQuery },
)

const read = operation(
  {
    id: 'readMember',
    tag,
    permission: 'organizations:read',
    summary: 'Read a member',
    answer,
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'removeMember',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Remove a member from the organization and all of its workspaces',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const path = '/organizations/:organization_id/members'

/** Members of organizations. */
export const memberRoutes = (scope: OperatorScope, members: Members) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(await members.list(params.organization_id, readPage(query)), memberJson),
  )

  scope.put(`${path}/:user_id`, put, async (request) => {
    const { organization_id, user_id } = request.params
    const { role } = request.body
    const precondition = preconditionOf(request, tagOf)
    const cause = causeOf(request)
    return memberJson(await members.put(organization_id, user_id, role, cause, precondition))
  })

  scope.get(`${path}/:user_id`, read, async ({ params }) =>
    memberJson(await members.read(params.organization_id, params.user_id)),
  )

  scope.delete(`${path}/:user_id`, remove, async (request, reply) => {
    const { organization_id, user_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    await members.remove(organization_id, user_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
