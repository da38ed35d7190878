import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mostDays } from '../../../core/language/access-end.ts'
import { PreconditionFailed } from '../../../core/language/service-errors.ts'
import {
  type ConnectRule,
  connectRules,
  type OrganizationPolicies,
  type PolicySettings,
} from '../../../core/organizations/organization-policies.ts'
import { tamperedForm } from '../rendering/approval-form.ts'
import { field, queried } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Notice } from '../rendering/view-models.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

export interface OrganizationPolicyDependencies extends OrganizationGateDependencies {
  organizationPolicies: OrganizationPolicies
  recentSignIn: RecentSignIn
}

const path = '/organizations/:id/policy'

/** The fields as text, as a person has filled them in. */
interface PolicyFields {
  connect: ConnectRule
  expiresDays: string
  idleDays: string
}

const textOfDays = (days: number | null) => (days === null ? '' : String(days))

const fieldsOf = (settings: PolicySettings): PolicyFields => ({
  connect: settings.connect,
  expiresDays: textOfDays(settings.defaultExpiresDays),
  idleDays: textOfDays(settings.defaultIdleDays),
})

const versionOf = (settings: PolicySettings) => Object.values(fieldsOf(settings)).join('.')

/** @throws OAuthError for a rule that no page can send */
const readFields = (request: FastifyRequest): PolicyFields => {
  const connect = connectRules.find((one) => one === field(request, 'connect'))
  if (!connect) throw tamperedForm()
  const days = (name: string) => field(request, name).trim().slice(0, 20)
  return {
    connect,
    expiresDays: days('default_expires_days'),
    idleDays: days('default_idle_days'),
  }
}

/** null: no end; undefined: not a number of days. */
const daysOf = (text: string): number | null | undefined => {
  if (text === '') return null
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return days >= 1 && days <= mostDays ? days : undefined
}

const isLonger = (next: number | null, now: number | null) =>
  now !== null && (next === null || next > now)

/** From the one that allows least. */
const strictness: readonly ConnectRule[] = ['ask', 'installed', 'all']

/** True when the new rules allow more than the present ones: other apps, or access that lasts longer. */
const allowsMore = (next: PolicySettings, now: PolicySettings) =>
  strictness.indexOf(next.connect) > strictness.indexOf(now.connect) ||
  isLonger(next.defaultExpiresDays, now.defaultExpiresDays) ||
  isLonger(next.defaultIdleDays, now.defaultIdleDays)

/** The page with the rules of an organization for its apps. */
export const organizationPolicy = (
  scope: FastifyInstance,
  deps: OrganizationPolicyDependencies,
) => {
  const { renderer, organizationPolicies, recentSignIn } = deps
  const asAdmin = createOrganizationGate(deps)

  const show = (
    { request, reply, session, organization, base }: AdminVisit,
    given: PolicyFields,
    version: string,
    { status, notice = null }: { status?: number; notice?: Notice | null } = {},
  ): Promise<FastifyReply> => {
    const text = textOf(request)
    const words = text.organization.policy
    const fault = (days: string) => (daysOf(days) === undefined ? words.daysFault(mostDays) : null)
    const [expiresError, idleError] = [fault(given.expiresDays), fault(given.idleDays)]
    const first = expiresError ? '#expires' : idleError ? '#idle' : null
    return renderer.page(
      request,
      reply,
      'organization-policy',
      { session, title: words.title, ...(status !== undefined && { status }) },
      {
        ...organizationTabs(text, organization, 'policy'),
        action: `${base}/policy`,
        version,
        notice,
        rules: connectRules.map((value) => ({
          value,
          label: words.rules[value],
          hint: words.hints[value],
          isChosen: value === given.connect,
        })),
        expiresDays: given.expiresDays,
        idleDays: given.idleDays,
        most: mostDays,
        field: first,
        error: expiresError ?? idleError,
        expiresError,
        idleError,
      },
    )
  }

  const save = async (visit: AdminVisit): Promise<FastifyReply> => {
    const { request, reply, organization, cause, base } = visit
    const given = readFields(request)
    const shown = field(request, 'version')
    const [defaultExpiresDays, defaultIdleDays] = [
      daysOf(given.expiresDays),
      daysOf(given.idleDays),
    ]
    if (defaultExpiresDays === undefined || defaultIdleDays === undefined)
      return show(visit, given, shown, { status: 400 })
    const settings = { connect: given.connect, defaultExpiresDays, defaultIdleDays }
    const isRecent = recentSignIn.isRecent(visit.session)
    if (!isRecent && allowsMore(settings, await organizationPolicies.read(organization.id)))
      return recentSignIn.askAgain(reply, `${base}/policy`)
    try {
      await organizationPolicies.put(organization.id, settings, cause, (current) => {
        if (current && shown !== versionOf(withoutId(current))) throw new PreconditionFailed()
      })
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error
      const now = withoutId(await organizationPolicies.read(organization.id))
      const words = textOf(request).organization.outdated
      const notice: Notice = { words, tone: 'plain' }
      return show(visit, fieldsOf(now), versionOf(now), { status: 409, notice })
    }
    return reply.header('cache-control', 'no-store').redirect(`${base}/policy?done=saved`, 303)
  }

  scope.get(
    path,
    asAdmin(async (visit) => {
      const { request, organization } = visit
      const now = withoutId(await organizationPolicies.read(organization.id))
      const words = textOf(request).organization.policy.saved
      const notice: Notice | null =
        queried(request, 'done') === 'saved' ? { words, tone: 'good' } : null
      return show(visit, fieldsOf(now), versionOf(now), { notice })
    }),
  )

  scope.post(path, asAdmin(save))
}

const withoutId = ({ connect, defaultExpiresDays, defaultIdleDays }: PolicySettings) => ({
  connect,
  defaultExpiresDays,
  defaultIdleDays,
})
