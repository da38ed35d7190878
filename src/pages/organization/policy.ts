import { camelKeys, snakeKeys } from '../../core/language/case.ts'
import { editConflict } from '../../core/language/service-errors.ts'
import type { PolicySettings } from '../../core/organizations/organization-policies.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import {
  type PolicyJson,
  policyChoices,
  policyFields,
  policyIn,
} from '../rendering/fields/policies.ts'
import { signInUrl } from '../sign-in/page.ts'
import { isLater } from './apps/end.ts'
import type { AdminRoutes } from './routes.ts'

const versionOf = (settings: PolicySettings) => Object.values(settings).join('.')

/** True when the new rules allow more than the present ones: other apps, or access that lasts longer. */
const allowsMore = (next: PolicyJson, now: PolicyJson) =>
  Object.entries(policyChoices).some(([name, choices]: [string, readonly unknown[]]) => {
    const rank = (policy: PolicyJson) => choices.indexOf(policy[name as keyof PolicyJson])
    return rank(next) > rank(now)
  }) ||
  isLater(next.default_expires_days, now.default_expires_days) ||
  isLater(next.default_idle_days, now.default_idle_days)

/** The page with the rules of an organization for its apps. */
export const organizationPolicy = ({ form, deps }: AdminRoutes) => {
  const { organizationPolicies, recentSignIn } = deps
  form('/policy', async (visit) => {
    const { request, text, session, organization, cause, base } = visit
    const words = text.organization.policy
    const now = await organizationPolicies.read(organization.id)
    const rulesNow = snakeKeys(now)
    return {
      tab: 'policy',
      title: words.title,
      heading: words.heading(organization.name),
      lead: words.lead,
      notice: doneNotice(request, { saved: words.saved }),
      fields: policyFields(text, rulesNow),
      submit: words.save,
      cancelUrl: null,
      version: versionOf(now),
      work: async (body, { version }) => {
        const typed = policyIn(text, body)
        if ('errors' in typed) return typed
        if (!recentSignIn.isRecent(session) && allowsMore(typed, rulesNow))
          return signInUrl(`${base}/policy`, 'confirm')
        await organizationPolicies.put(organization.id, camelKeys(typed), cause, (current) => {
          if (current && version !== versionOf(current)) throw editConflict()
        })
        return `${base}/policy?done=saved`
      },
    }
  })
}
