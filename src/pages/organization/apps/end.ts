import type { App } from '../../../core/clients/app.ts'
import type { AccessEnd } from '../../../core/language/access-end.ts'
import { found, PreconditionFailed } from '../../../core/language/service-errors.ts'
import type { Phrase } from '../../../words/phrase.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { tell } from '../../rendering/done-notice.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import type { AccessEndForm } from '../../rendering/view-models/organization-apps.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { showPage } from '../frame.ts'
import { type AdminVisit, userIdOf } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import {
  chosenEnd,
  endErrors,
  endFields,
  endForm,
  endVersion,
  lastsLonger,
  readEndFields,
} from './access-end-form.ts'
import { appUrl } from './items.ts'
import { appOfVisit } from './page.ts'

/** An install or one person's consent, whose end the page changes. */
interface Subject {
  app: App
  now: AccessEnd
  heading: Phrase
  /** What the end means; null: nothing to add. */
  hint: Phrase | null
  /** The path of the page. */
  url: string
  /** @throws PreconditionFailed when the end is not `shown` any more */
  write: (end: AccessEnd, shown: string) => Promise<unknown>
}

type ReadSubject = (visit: AdminVisit) => Promise<Subject>

/** @throws PreconditionFailed when another person has changed the end */
const requireVersion = (live: AccessEnd | null, shown: string) => {
  if (live && endVersion(live) !== shown) throw new PreconditionFailed()
}

/** The pages on which admins choose when the install of an app, or its access for one person, ends by itself. */
export const organizationAppEnd = (
  { get, post }: AdminRoutes,
  deps: OrganizationPagesDependencies,
) => {
  const { organizationApps, installs, consentEnds, recentSignIn } = deps

  const ofInstall: ReadSubject = async (visit) => {
    const { text, organization, base, cause } = visit
    const { app, install } = await appOfVisit(deps, visit)
    const key = { organizationId: organization.id, clientId: app.clientId }
    return {
      app,
      now: install,
      heading: text.organization.appEnd.heading(app.name, organization.name),
      hint: null,
      url: `${appUrl(base, app.clientId)}/ends`,
      write: (end, shown) =>
        installs.change(key, end, cause, { precondition: (live) => requireVersion(live, shown) }),
    }
  }

  const ofPerson: ReadSubject = async (visit) => {
    const { text, organization, base, cause } = visit
    const { app } = await appOfVisit(deps, visit)
    const userId = userIdOf(visit)
    const { clientId } = app
    const key = { organizationId: organization.id, clientId, userId }
    const [person, now] = await Promise.all([organizationApps.person(key), consentEnds.read(key)])
    const { name } = found(person, 'user')
    const { appEnd } = text.organization
    return {
      app,
      now,
      heading: appEnd.personHeading(app.name, name),
      hint: appEnd.personHint(name),
      url: `${appUrl(base, clientId)}/people/${encodeURIComponent(userId)}/ends`,
      write: (end, shown) =>
        consentEnds.change(key, end, cause, (live) => requireVersion(live, shown)),
    }
  }

  const show = (
    visit: AdminVisit,
    { app, heading, hint, url }: Subject,
    form: AccessEndForm & { version: string },
    status: 200 | 400 | 409,
  ) => {
    const { text, base } = visit
    return showPage(visit, 'apps', 'organization-app-end', {
      title: text.organization.appEnd.title,
      status,
      action: url,
      backUrl: appUrl(base, app.clientId),
      notice: status === 409 ? { words: text.organization.outdated, tone: 'plain' } : null,
      clientId: app.clientId,
      app: cardOf(app, app.redirectUris[0] as string),
      heading,
      hint,
      ...form,
    })
  }

  /** Shows the end that is stored. @param status 409: another person has changed it */
  const showStored = (visit: AdminVisit, subject: Subject, status: 200 | 409) => {
    const form = endForm(endFields(subject.now))
    return show(visit, subject, { ...form, version: endVersion(subject.now) }, status)
  }

  const save = (read: ReadSubject) => async (visit: AdminVisit) => {
    const { request, reply, text, session, base } = visit
    const subject = await read(visit)
    const [given, version] = [readEndFields(request), field(request, 'version')]
    const end = chosenEnd(given, subject.now)
    const form = endForm(given, endErrors(text, given, end, Date.now()))
    if (form.error !== null) return show(visit, subject, { ...form, version }, 400)
    if (lastsLonger(end, subject.now) && !recentSignIn.isRecent(session))
      return recentSignIn.askAgain(reply, subject.url)
    try {
      await subject.write(end, version)
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error
      return showStored(visit, await read(visit), 409)
    }
    tell(request, { names: { app: subject.app.name } })
    return reply.redirect(`${appUrl(base, subject.app.clientId)}?done=changed`, 303)
  }

  const add = (path: string, read: ReadSubject) => {
    get(path, async (visit) => showStored(visit, await read(visit), 200))
    post(path, save(read))
  }
  add('/apps/:client_id/ends', ofInstall)
  add('/apps/:client_id/people/:user_id/ends', ofPerson)
}
