import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ListedMember } from '../../../core/organizations/member-list.ts'
import { type Role, roles } from '../../../core/organizations/members.ts'
import type { Memberships } from '../../../core/organizations/memberships.ts'
import { queried } from '../rendering/forms.ts'
import { type ListPart, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import type { MemberRow } from '../rendering/organization-app-view-models.ts'
import { momentOf } from '../rendering/render.ts'
import { type Text, textOf } from '../rendering/text.ts'
import { createOrganizationGate, type OrganizationGateDependencies } from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

export type OrganizationMembersDependencies = OrganizationGateDependencies & {
  memberships: Pick<Memberships, 'members'>
}

const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)

const readMembers = (request: FastifyRequest): ListPart & { role: Role | null } => {
  const named = queried(request, 'role')
  const role = isRole(named) ? named : null
  return { ...readPart(request), filters: role ? { role } : {}, role }
}

const rowOf = (text: Text, member: ListedMember, ownId: string): MemberRow => ({
  name: member.name,
  email: member.email,
  isSelf: member.userId === ownId,
  isDisabled: member.disabled,
  role: text.organization.members.roles[member.role],
  isAdmin: member.role === 'admin',
  workspaces: member.workspaces,
  more: member.workspaceCount - member.workspaces.length,
  lastSignIn: member.lastSignIn && momentOf(text, member.lastSignIn),
})

/** The page of the members. The platform manages them, so it only shows. */
export const organizationMembers = (
  scope: FastifyInstance,
  deps: OrganizationMembersDependencies,
) => {
  scope.get(
    '/organizations/:id/members',
    createOrganizationGate(deps)(async ({ request, reply, session, organization, base }) => {
      const text = textOf(request)
      const words = text.organization.members
      const part = readMembers(request)
      const search = { ...searchOf(part), role: part.role }
      const page = await deps.memberships.members(organization.id, search)
      const url = `${base}/members`
      return deps.renderer.page(
        request,
        reply,
        'organization-members',
        { session, title: words.title },
        {
          ...organizationTabs(text, organization, 'members'),
          action: url,
          notice: null,
          filter: {
            action: url,
            name: part.name,
            choices: (['all', ...roles] as const).map((value) => ({
              value: value === 'all' ? '' : value,
              label: words.roles[value],
              isChosen: value === (part.role ?? 'all'),
            })),
            isOpen: part.name === '' && part.role === null,
          },
          members: page.items.map((one) => rowOf(text, one, session.user.id)),
          list: linksOf(url, part, page),
        },
      )
    }),
  )
}
