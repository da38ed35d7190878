import { editConflict } from '../../core/language/service-errors.ts'
import {
  type ConnectRule,
  connectRules,
  type PolicySettings,
} from '../../core/organizations/organization-policies.ts'
import { type PolicyJson, policyFields, policyIn } from '../rendering/fields/policies.ts'
import { tamperedForm } from '../rendering/forms/approval-form.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { signInUrl } from '../sign-in/page.ts'
import { isLater } from './apps/access-end-form.ts'
import type { OrganizationPagesDependencies } from './dependencies.ts'
import type { AdminForm } from './form.ts'
import type { AdminVisit } from './gate.ts'
import type { AdminRoutes } from './routes.ts'

const asJson = (settings: PolicySettings): PolicyJson => ({
  connect: settings.connect,
  default_expires_days: settings.defaultExpiresDays,
  default_idle_days: settings.defaultIdleDays,
})

const versionOf = (settings: PolicySettings) => Object.values(asJson(settings)).join('.')

/** From the one that allows least. */
const strictness: readonly ConnectRule[] = ['ask', 'installed', 'all']

/** True when the new rules allow more than the present ones: other apps, or access that lasts longer. */
const allowsMore = (next: PolicySettings, now: PolicySettings) =>
  strictness.indexOf(next.connect) > strictness.indexOf(now.connect) ||
  isLater(next.defaultExpiresDays, now.defaultExpiresDays) ||
  isLater(next.defaultIdleDays, now.defaultIdleDays)

/** The page with the rules of an organization for its apps. */
export const organizationPolicy = (
  { get, post, form }: AdminRoutes,
  { organizationPolicies, recentSignIn }: OrganizationPagesDependencies,
) => {
  const rules = async (visit: AdminVisit): Promise<AdminForm> => {
    const { request, text, session, organization, cause, base } = visit
    const words = text.organization.policy
    const now = await organizationPolicies.read(organization.id)
    const isSaved = queried(request, 'done') === 'saved'
    return {
      tab: 'policy',
      title: words.title,
      heading: words.heading(organization.name),
      lead: words.lead,
      notice: isSaved ? { words: words.saved, tone: 'good' } : null,
      fields: policyFields(text, asJson(now)),
      submit: words.save,
      cancelUrl: null,
      version: versionOf(now),
      work: async (body, { version }) => {
        const typed = policyIn(text, body)
        if ('errors' in typed) return typed
        const connect = connectRules.find((one) => one === typed.connect)
        if (!connect) throw tamperedForm()
        const settings = {
          connect,
          defaultExpiresDays: typed.default_expires_days,
          defaultIdleDays: typed.default_idle_days,
        }
        if (!recentSignIn.isRecent(session) && allowsMore(settings, now))
          return signInUrl(`${base}/policy`, 'confirm')
        await organizationPolicies.put(organization.id, settings, cause, (current) => {
          if (current && version !== versionOf(current)) throw editConflict()
        })
        return `${base}/policy?done=saved`
      },
    }
  }

  get('/policy', form.show(rules))
  post('/policy', form.send(rules))
}
