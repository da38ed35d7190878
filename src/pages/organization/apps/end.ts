import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ConsentEnds } from '../../../core/authorization/consent-ends.ts'
import type { App } from '../../../core/clients/app.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { AccessEnd } from '../../../core/language/access-end.ts'
import { found, NotFound, PreconditionFailed } from '../../../core/language/service-errors.ts'
import type { Installs } from '../../../core/organizations/installs.ts'
import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { textOf } from '../../rendering/reader-text.ts'
import type { RecentSignIn } from '../../sign-in/recent-sign-in.ts'
import { type AdminVisit, createOrganizationGate, parameter } from '../gate.ts'
import { organizationTabs } from '../tabs.ts'
import {
  chosenEnd,
  type EndFaults,
  type EndFields,
  endFaults,
  endFields,
  endForm,
  endVersion,
  lastsLonger,
  noFaults,
  readEndFields,
} from './access-end-form.ts'
import { appUrl } from './items.ts'
import { type AppPageDependencies, appOfVisit } from './page.ts'

const path = '/organizations/:id/apps/:client_id'

/** An install or one person's consent, whose end the page changes. */
interface Subject {
  app: App
  now: AccessEnd
  heading: (text: Text) => Phrase
  /** What the end means; null: nothing to add. */
  hint: (text: Text) => Phrase | null
  /** The path of the page. */
  url: string
  /** @throws PreconditionFailed when the end is not `shown` any more */
  write: (end: AccessEnd, shown: string) => Promise<unknown>
}

type ReadSubject = (visit: AdminVisit) => Promise<Subject>

export interface AppEndDependencies extends AppPageDependencies {
  installs: Pick<Installs, 'change'>
  consentEnds: ConsentEnds
  recentSignIn: RecentSignIn
}

/** @throws PreconditionFailed when another person has changed the end */
const requireVersion = (live: AccessEnd | null, shown: string) => {
  if (live && endVersion(live) !== shown) throw new PreconditionFailed()
}

/** The pages on which admins choose when the install of an app, or its access for one person, ends by itself. */
export const organizationAppEnd = (scope: FastifyInstance, deps: AppEndDependencies) => {
  const { renderer, organizationApps, installs, consentEnds, recentSignIn } = deps
  const asAdmin = createOrganizationGate(deps)

  const ofInstall: ReadSubject = async (visit) => {
    const { organization, base, cause } = visit
    const { app, install } = await appOfVisit(organizationApps, visit)
    return {
      app,
      now: install,
      heading: ({ organization: { appEnd } }) => appEnd.heading(app.name, organization.name),
      hint: () => null,
      url: `${appUrl(base, app.clientId)}/ends`,
      write: (end, shown) =>
        installs.change(organization.id, app.clientId, end, cause, {
          precondition: (live) => requireVersion(live, shown),
        }),
    }
  }

  const ofPerson: ReadSubject = async (visit) => {
    const { request, organization, base, cause } = visit
    const { app } = await appOfVisit(organizationApps, visit)
    const userId = parameter(request, 'user_id')
    if (!isIdShaped(userId)) throw new NotFound('user')
    const { clientId } = app
    const key = { organizationId: organization.id, clientId, userId }
    const [person, now] = await Promise.all([
      organizationApps.person(organization.id, clientId, userId),
      consentEnds.read(key),
    ])
    const { name } = found(person, 'user')
    return {
      app,
      now,
      heading: ({ organization: { appEnd } }) => appEnd.personHeading(app.name, name),
      hint: ({ organization: { appEnd } }) => appEnd.personHint(name),
      url: `${appUrl(base, clientId)}/people/${encodeURIComponent(userId)}/ends`,
      write: (end, shown) =>
        consentEnds.change(key, end, cause, (live) => requireVersion(live, shown)),
    }
  }

  const show = (
    { request, reply, session, organization, base }: AdminVisit,
    { app, heading, hint, url }: Subject,
    given: EndFields,
    version: string,
    { faults = noFaults, status }: { faults?: EndFaults; status?: 400 | 409 } = {},
  ): Promise<FastifyReply> => {
    const text = textOf(request)
    return renderer.page(
      request,
      reply,
      'organization-app-end',
      {
        session,
        title: text.organization.appEnd.title,
        ...(status !== undefined && { status }),
      },
      {
        ...organizationTabs(text, organization, 'apps'),
        action: url,
        backUrl: appUrl(base, app.clientId),
        notice: status === 409 ? { words: text.organization.outdated, tone: 'plain' } : null,
        clientId: app.clientId,
        app: cardOf(app, app.redirectUris[0] as string),
        heading: heading(text),
        hint: hint(text),
        version,
        ...endForm(text, given, faults),
      },
    )
  }

  const save = (read: ReadSubject) => async (visit: AdminVisit) => {
    const { request, reply, base } = visit
    const subject = await read(visit)
    const [given, shown] = [readEndFields(request), field(request, 'version')]
    const end = chosenEnd(given, subject.now)
    const faults = endFaults(given, end, Date.now())
    if (faults.lastDay || faults.idleDays)
      return show(visit, subject, given, shown, { faults, status: 400 })
    if (lastsLonger(end, subject.now) && !recentSignIn.isRecent(visit.session))
      return recentSignIn.askAgain(reply, subject.url)
    try {
      await subject.write(end, shown)
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error
      const current = await read(visit)
      const { now } = current
      return show(visit, current, endFields(now), endVersion(now), { status: 409 })
    }
    const location = `${appUrl(base, subject.app.clientId)}?done=changed`
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  }

  for (const [page, read] of [
    [`${path}/ends`, ofInstall],
    [`${path}/people/:user_id/ends`, ofPerson],
  ] as const) {
    scope.get(
      page,
      asAdmin(async (visit) => {
        const subject = await read(visit)
        return show(visit, subject, endFields(subject.now), endVersion(subject.now))
      }),
    )
    scope.post(page, asAdmin(save(read)))
  }
}
