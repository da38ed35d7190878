import { found } from '../../../core/language/service-errors.ts'
import type { AppOfMember, ListedMember } from '../../../core/organizations/member-list.ts'
import { roles } from '../../../core/organizations/members.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { Text } from '../../../words/text.ts'
import { asLeft } from '../../rendering/left-lists.ts'
import { choiceOf, listOf } from '../../rendering/long-list.ts'
import { momentOf } from '../../rendering/render.ts'
import { accessLinks, appUrl } from '../apps/items.ts'
import { noticeOf, showPage } from '../frame.ts'
import { type AdminVisit, userIdOf } from '../gate.ts'
import { type AdminRoutes, confirmation } from '../routes.ts'

/** Short enough for a phone. */
const appsOfPage = 10

const memberUrl = (base: string, userId: string) => `${base}/members/${encodeURIComponent(userId)}`

const rowOf = ({ text, base, session }: AdminVisit, member: ListedMember) => ({
  ...member,
  href: memberUrl(base, member.userId),
  email: shownEmail(member.email),
  isSelf: member.userId === session.user.id,
  role: text.organization.members.roles[member.role],
  isAdmin: member.role === 'admin',
  more: member.workspaceCount - member.workspaces.length,
  moreApps: member.appCount - member.apps.length,
  lastSignIn: member.lastSignIn && momentOf(text, member.lastSignIn),
})

const appRow = (text: Text, base: string, userId: string, one: AppOfMember) => {
  const href = appUrl(base, one.clientId)
  return {
    name: one.name,
    href,
    since: momentOf(text, one.since),
    lastUsed: one.lastUsed && momentOf(text, one.lastUsed),
    ...accessLinks(text, href, userId, one),
  }
}

/** The page that asks before every app loses its access for one member. */
const endAll = ({ form, deps }: AdminRoutes) => {
  const { memberships, allAccessEnd } = deps
  form('/members/:user_id/end-all', async (visit) => {
    const { text, organization, base, cause } = visit
    const key = { organizationId: organization.id, userId: userIdOf(visit) }
    const member = found(await memberships.member(key.organizationId, key.userId), 'user')
    const words = text.organization.members.endAll
    const url = memberUrl(base, key.userId)
    return {
      tab: 'members',
      ...confirmation({
        title: words.title,
        heading: words.heading(member.name, organization.name),
        points: [
          words.apps(member.appCount, member.name),
          [words.others],
          words.again(member.name),
        ],
        submit: words.confirm,
        decision: 'end_all',
        action: `${url}/end-all`,
        cancelUrl: url,
      }),
      work: async () => {
        await allAccessEnd(key, cause)
        return `${url}?done=ended_all`
      },
    }
  })
}

/** The pages of the members and of one of them. The platform manages the members; an admin ends what apps may do. */
export const organizationMembers = (routes: AdminRoutes) => {
  const { get, deps } = routes
  const { memberships } = deps
  endAll(routes)

  get('/members', async (visit) => {
    const words = visit.text.organization.members
    const url = `${visit.base}/members`
    const choices = [choiceOf('role', words.role, words.roles, roles)]
    const parts = { label: words.find, anchor: 'members', choices }
    const list = listOf(visit, url, ['name', 'role'], parts)
    const page = await memberships.members(visit.organization.id, list.ask())
    return showPage(visit, 'members', 'organization-members', {
      title: words.title,
      action: url,
      notice: null,
      filter: list.filter,
      sorts: list.sorts,
      members: page.items.map((one) => rowOf(visit, one)),
      list: list.links(page),
    })
  })

  get('/members/:user_id', async (visit) => {
    const { request, text, organization, base } = visit
    const userId = userIdOf(visit)
    const parts = { label: text.search.named, anchor: 'apps' }
    const list = listOf(visit, memberUrl(base, userId), ['name', 'last_used'], parts)
    const [member, page] = await Promise.all([
      memberships.member(organization.id, userId),
      memberships.appsOfMember(organization.id, userId, list.ask(appsOfPage)),
    ])
    const row = rowOf(visit, found(member, 'user'))
    return showPage(visit, 'members', 'organization-member', {
      title: row.name,
      action: row.href,
      notice: noticeOf(visit, { ended_all: text.organization.members.endAll.done }),
      /** The page that asks before every access ends; null: no app has access. */
      endAllUrl: row.appCount > 0 ? `${row.href}/end-all` : null,
      backUrl: asLeft(request, `${base}/members`),
      activityUrl: `${base}/activity?user_id=${encodeURIComponent(userId)}`,
      member: row,
      filter: list.filter,
      sorts: list.sorts,
      apps: page.items.map((one) => appRow(text, base, userId, one)),
      list: list.links(page),
    })
  })
}
