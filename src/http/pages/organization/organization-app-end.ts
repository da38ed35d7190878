import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccessEnd, accessEndFaults, mostDays } from '../../../core/language/access-end.ts'
import { PreconditionFailed } from '../../../core/language/service-errors.ts'
import type { Installs } from '../../../core/organizations/installs.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import { field } from '../rendering/forms.ts'
import { cardOf } from '../rendering/render.ts'
import { textOf } from '../rendering/text.ts'
import { appUrl } from './organization-app-items.ts'
import { type AppPageDependencies, appOfVisit } from './organization-app-page.ts'
import { type AdminVisit, createOrganizationGate } from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

const path = '/organizations/:id/apps/:client_id/ends'
const dayInSeconds = 86_400

/** The fields as text, as a person has filled them in. */
interface EndFields {
  /** The last day with access, in UTC. */
  lastDay: string
  idleDays: string
}

const fieldsOf = ({ expiresAt, idleSeconds }: AccessEnd): EndFields => ({
  lastDay: expiresAt?.toISOString().slice(0, 10) ?? '',
  idleDays: idleSeconds === null ? '' : String(Math.ceil(idleSeconds / dayInSeconds)),
})

const versionOf = ({ expiresAt, idleSeconds }: AccessEnd) =>
  `${expiresAt?.toISOString() ?? ''}/${idleSeconds ?? ''}`

const readFields = (request: FastifyRequest): EndFields => ({
  lastDay: field(request, 'last_day').trim().slice(0, 20),
  idleDays: field(request, 'idle_days').trim().slice(0, 20),
})

/** An unchanged field keeps the exact time that the Operator API may have set. null: not a time or a number of days. */
const endOf = (given: EndFields, now: AccessEnd) => {
  const shown = fieldsOf(now)
  const { lastDay, idleDays } = given
  const expiresAt = lastDay === '' ? null : new Date(`${lastDay}T23:59:59Z`)
  const days = /^\d{1,4}$/.test(idleDays) ? Number(idleDays) : 0
  return {
    expiresAt: lastDay === shown.lastDay ? now.expiresAt : expiresAt,
    idleSeconds:
      idleDays === shown.idleDays ? now.idleSeconds : idleDays === '' ? null : days * dayInSeconds,
  }
}

const faultsOf = (given: EndFields, end: AccessEnd, at: number) => {
  const faults = accessEndFaults(end, at)
  const isDay = given.lastDay === '' || /^\d{4}-\d{2}-\d{2}$/.test(given.lastDay)
  return {
    lastDay: !isDay || faults.some(({ pointer }) => pointer === '/expires_at'),
    idleDays: faults.some(({ pointer }) => pointer === '/idle_seconds'),
  }
}

/** The page on which admins choose when the install of an app ends by itself. */
export const organizationAppEnd = (
  scope: FastifyInstance,
  deps: AppPageDependencies & { installs: Pick<Installs, 'change'> },
) => {
  const { renderer, organizationApps, installs } = deps
  const asAdmin = createOrganizationGate(deps)

  const show = (
    { request, reply, session, organization, base }: AdminVisit,
    { app }: InstalledAppWithWidening,
    given: EndFields,
    version: string,
    faults = { lastDay: false, idleDays: false },
    isOutdated = false,
  ): Promise<FastifyReply> => {
    const text = textOf(request)
    const words = text.organization.appEnd
    const [dayError, idleError] = [
      faults.lastDay ? words.dayFault : null,
      faults.idleDays ? text.organization.policy.daysFault(mostDays) : null,
    ]
    const isFaulty = dayError !== null || idleError !== null
    return renderer.page(
      request,
      reply,
      'organization-app-end',
      {
        session,
        title: words.title,
        ...((isFaulty || isOutdated) && { status: isFaulty ? 400 : 409 }),
      },
      {
        ...organizationTabs(text, organization, 'apps'),
        action: `${appUrl(base, app.clientId)}/ends`,
        backUrl: appUrl(base, app.clientId),
        notice: isOutdated ? { words: text.organization.outdated, tone: 'plain' } : null,
        clientId: app.clientId,
        app: cardOf(app, app.redirectUris[0] as string),
        version,
        lastDay: given.lastDay,
        idleDays: given.idleDays,
        field: dayError ? '#last-day' : '#idle',
        error: dayError ?? idleError,
        dayError,
        idleError,
      },
    )
  }

  const save = async (visit: AdminVisit): Promise<FastifyReply> => {
    const { request, reply, organization, cause, base } = visit
    const one = await appOfVisit(organizationApps, visit)
    const { clientId } = one.app
    const [given, shown] = [readFields(request), field(request, 'version')]
    const end = endOf(given, one.install)
    const faults = faultsOf(given, end, Date.now())
    if (faults.lastDay || faults.idleDays) return show(visit, one, given, shown, faults)
    try {
      await installs.change(organization.id, clientId, end, cause, {
        precondition: (live) => {
          if (live && versionOf(live) !== shown) throw new PreconditionFailed()
        },
      })
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error
      const current = await appOfVisit(organizationApps, visit)
      const { install } = current
      return show(visit, current, fieldsOf(install), versionOf(install), undefined, true)
    }
    const location = `${appUrl(base, clientId)}?done=changed`
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  }

  scope.get(
    path,
    asAdmin(async (visit) => {
      const one = await appOfVisit(organizationApps, visit)
      return show(visit, one, fieldsOf(one.install), versionOf(one.install))
    }),
  )
  scope.post(path, asAdmin(save))
}
