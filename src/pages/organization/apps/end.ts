import type { AccessEnd } from '../../../core/language/access-end.ts'
import { editConflict, found } from '../../../core/language/service-errors.ts'
import { tell } from '../../rendering/done-notice.ts'
import { accessEndIn, endField, idleField } from '../../rendering/fields/access-end.ts'
import { signInUrl } from '../../sign-in/page.ts'
import { type AdminVisit, installIn, userIdOf } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { appUrl } from './items.ts'
import { appOfVisit } from './page.ts'

const endVersion = ({ expiresAt, idleSeconds }: AccessEnd): string =>
  `${expiresAt?.toISOString() ?? ''}/${idleSeconds ?? ''}`

/** True when `next` is after `now`; null: never. */
export const isLater = (next: Date | number | null, now: Date | number | null): boolean =>
  now !== null && (next === null || next > now)

/** True when access would last longer than now. */
const lastsLonger = (next: AccessEnd, now: AccessEnd): boolean =>
  isLater(next.expiresAt, now.expiresAt) || isLater(next.idleSeconds, now.idleSeconds)

/** @throws Conflict when another person has changed the end */
const requireVersion = (live: AccessEnd | null, shown: string) => {
  if (live && endVersion(live) !== shown) throw editConflict()
}

/** The pages on which admins choose when the install of an app, or its access for one person, ends by itself. */
export const organizationAppEnd = ({ form, deps }: AdminRoutes) => {
  const { organizationApps, installs, consentEnds, recentSignIn } = deps

  const ofInstall = async (visit: AdminVisit) => {
    const { text, organization, base, cause } = visit
    const { app, install } = await appOfVisit(deps, visit)
    const key = installIn(visit, app.clientId)
    return {
      app,
      now: install,
      heading: text.organization.appEnd.heading(app.name, organization.name),
      hint: null,
      url: `${appUrl(base, app.clientId)}/ends`,
      write: (end: AccessEnd, shown: string): Promise<unknown> =>
        installs.change(key, end, cause, { precondition: (live) => requireVersion(live, shown) }),
    }
  }

  /** One person's consent. */
  const ofPerson = async (visit: AdminVisit) => {
    const { text, base, cause } = visit
    const { app } = await appOfVisit(deps, visit)
    const { clientId } = app
    const key = { ...installIn(visit, clientId), userId: userIdOf(visit) }
    const [person, now] = await Promise.all([organizationApps.person(key), consentEnds.read(key)])
    const { name } = found(person, 'user')
    const { appEnd } = text.organization
    return {
      app,
      now,
      heading: appEnd.personHeading(app.name, name),
      hint: appEnd.personHint(name),
      url: `${appUrl(base, clientId)}/people/${encodeURIComponent(key.userId)}/ends`,
      write: (end: AccessEnd, shown: string): Promise<unknown> =>
        consentEnds.change(key, end, cause, (live) => requireVersion(live, shown)),
    }
  }

  const ends = (path: string, read: typeof ofInstall | typeof ofPerson) =>
    form(`${path}/ends`, async (visit) => {
      const { request, text, session, base } = visit
      const { app, now, heading, hint, url, write } = await read(visit)
      return {
        tab: 'apps',
        title: text.organization.appEnd.title,
        heading,
        lead: hint,
        fields: [endField(text, now.expiresAt), idleField(text, now.idleSeconds)],
        submit: text.organization.appChange.save,
        action: url,
        cancelUrl: appUrl(base, app.clientId),
        hidden: { client_id: app.clientId },
        version: endVersion(now),
        work: async (_body, { version }) => {
          const end = accessEndIn(request, text, now, deps.now())
          if ('errors' in end) return end
          if (lastsLonger(end, now) && !recentSignIn.isRecent(session))
            return signInUrl(url, 'confirm')
          await write(end, version)
          tell(request, { names: { app: app.name } })
          return `${appUrl(base, app.clientId)}?done=changed`
        },
      }
    })

  ends('/apps/:client_id', ofInstall)
  ends('/apps/:client_id/people/:user_id', ofPerson)
}
