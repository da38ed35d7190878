import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import type { AppOfMember, ListedMember } from '../../../core/organizations/member-list.ts'
import { type Role, roles } from '../../../core/organizations/members.ts'
import type { Memberships } from '../../../core/organizations/memberships.ts'
import type { Text } from '../../../words/text.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { type ListPart, linksOf, readPart, searchOf } from '../../rendering/long-list.ts'
import { textOf } from '../../rendering/reader-text.ts'
import { momentOf } from '../../rendering/render.ts'
import type { AppOfMemberRow, MemberRow } from '../../rendering/view-models/organization-apps.ts'
import { accessLinks, appUrl } from '../apps/items.ts'
import { createOrganizationGate, type OrganizationGateDependencies, parameter } from '../gate.ts'
import { organizationTabs } from '../tabs.ts'

export type OrganizationMembersDependencies = OrganizationGateDependencies & {
  memberships: Pick<Memberships, 'members' | 'member' | 'appsOfMember'>
}

const path = '/organizations/:id/members'

const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)

const readMembers = (request: FastifyRequest): ListPart & { role: Role | null } => {
  const named = queried(request, 'role')
  const role = isRole(named) ? named : null
  return { ...readPart(request), filters: role ? { role } : {}, role }
}

const rowOf = (text: Text, base: string, member: ListedMember, ownId: string): MemberRow => ({
  href: `${base}/members/${encodeURIComponent(member.userId)}`,
  name: member.name,
  email: member.email,
  isSelf: member.userId === ownId,
  isDisabled: member.disabled,
  role: text.organization.members.roles[member.role],
  isAdmin: member.role === 'admin',
  workspaces: member.workspaces,
  more: member.workspaceCount - member.workspaces.length,
  apps: member.apps,
  moreApps: member.appCount - member.apps.length,
  lastSignIn: member.lastSignIn && momentOf(text, member.lastSignIn),
})

const appRow = (text: Text, base: string, userId: string, one: AppOfMember): AppOfMemberRow => {
  const href = appUrl(base, one.clientId)
  return {
    name: one.name,
    href,
    since: momentOf(text, one.since),
    lastUsed: one.lastUsed && momentOf(text, one.lastUsed),
    ...accessLinks(text, href, userId, one),
  }
}

/** The pages of the members and of one of them. The platform manages them, so they only show. */
export const organizationMembers = (
  scope: FastifyInstance,
  deps: OrganizationMembersDependencies,
) => {
  const { renderer, memberships } = deps
  const asAdmin = createOrganizationGate(deps)

  scope.get(
    path,
    asAdmin(async ({ request, reply, session, organization, base }) => {
      const text = textOf(request)
      const words = text.organization.members
      const part = readMembers(request)
      const search = { ...searchOf(part), role: part.role }
      const page = await memberships.members(organization.id, search)
      const url = `${base}/members`
      return renderer.page(
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
          members: page.items.map((one) => rowOf(text, base, one, session.user.id)),
          list: linksOf(url, part, page),
        },
      )
    }),
  )

  scope.get(
    `${path}/:user_id`,
    asAdmin(async ({ request, reply, session, organization, base }) => {
      const userId = parameter(request, 'user_id')
      if (!isIdShaped(userId)) throw new NotFound('user')
      const text = textOf(request)
      const part = { ...readPart(request), name: '' }
      const [member, page] = await Promise.all([
        memberships.member(organization.id, userId),
        memberships.appsOfMember(organization.id, userId, searchOf(part)),
      ])
      const row = rowOf(text, base, found(member, 'user'), session.user.id)
      return renderer.page(
        request,
        reply,
        'organization-member',
        { session, title: row.name },
        {
          ...organizationTabs(text, organization, 'members'),
          action: row.href,
          notice: null,
          backUrl: `${base}/members`,
          member: row,
          apps: page.items.map((one) => appRow(text, base, userId, one)),
          list: linksOf(row.href, part, page),
        },
      )
    }),
  )
}
