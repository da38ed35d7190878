// All access of one member, ended at once.
import { found, NotFound } from '../../../core/language/service-errors.ts'
import type { AppOfMember } from '../../../core/organizations/member-list.ts'
import { tell } from '../../rendering/done-notice.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { type AdminForm, confirmation } from '../form.ts'
import { type AdminVisit, userIdOf } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'

/** How many apps are ended between two looks at the list. */
const atOnce = 100

export const memberUrl = (base: string, userId: string) =>
  `${base}/members/${encodeURIComponent(userId)}`

export const organizationMemberAccess = (
  { get, post, form }: AdminRoutes,
  { memberships, accessEnd }: OrganizationPagesDependencies,
) => {
  const path = '/members/:user_id/end'

  /** What has no access by now, because another admin was faster, is no fault. */
  const end = async ({ organization, cause }: AdminVisit, userId: string, app: AppOfMember) => {
    const key = { organizationId: organization.id, clientId: app.clientId, userId }
    return accessEnd(key, cause).catch((error: unknown) => {
      if (error instanceof NotFound) return false
      throw error
    })
  }

  const ask = async (visit: AdminVisit): Promise<AdminForm> => {
    const { request, text, organization, base } = visit
    const words = text.organization.memberAccess
    const userId = userIdOf(visit)
    const member = found(await memberships.member(organization.id, userId), 'user')
    const url = memberUrl(base, userId)
    const nextApps = (after: string | null) =>
      memberships.appsOfMember(organization.id, userId, { limit: atOnce, after })
    return {
      tab: 'members',
      ...confirmation({
        title: words.title,
        heading: words.heading(member.name, organization.name),
        points: [
          words.apps(member.appCount, member.name),
          [words.tokens],
          words.again(member.name),
        ],
        submit: [words.confirm],
        decision: 'end_all',
        action: `${url}/end`,
        cancelUrl: url,
      }),
      work: async () => {
        let after: string | null = null
        do {
          const { items, next } = await nextApps(after)
          for (const app of items) await end(visit, userId, app)
          after = next
        } while (after !== null)
        tell(request, { names: { person: member.name, organization: organization.name } })
        return `${url}?done=ended_all`
      },
    }
  }

  get(path, form.show(ask))
  post(path, form.send(ask))
}
