import { lockedPermissions } from '../../../core/clients/required-permissions.ts'
import { isClientIdShaped } from '../../../core/crypto/identifiers.ts'
import { versionOf } from '../../../core/language/edit-conflict.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import { endOf, endWords } from '../../rendering/access-end.ts'
import { trailEntries } from '../../rendering/activity/entries.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { limitChoice } from '../../rendering/fields/workspace-choice.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { asLeft } from '../../rendering/left-lists.ts'
import { sentencesOf, tickedInAddress } from '../../rendering/live-sentence.ts'
import { listOf } from '../../rendering/long-list.ts'
import { describePermissions } from '../../rendering/permission-list.ts'
import { useSentences } from '../../rendering/permission-use.ts'
import { momentOf } from '../../rendering/render.ts'
import { reachOf } from '../../rendering/summary.ts'
import type { PageServices } from '../../sign-in/services.ts'
import { trailReader } from '../activity/reader.ts'
import { createEditConflict } from '../edit-conflict.ts'
import { noticeOf, showPage } from '../frame.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import type { AppPages } from './decisions.ts'
import {
  accessLinks,
  appUrl,
  installedApp,
  namesWithin,
  presentPermissions,
  wideningItems,
} from './items.ts'

const fewPeople = 8
const latestEvents = 5
const dayInMs = 86_400_000

/** The installed app that the address names. @throws NotFound */
export const appOfVisit = async (
  { organizationApps }: PageServices,
  { request, organization }: AdminVisit,
): Promise<InstalledAppWithWidening> => {
  const clientId = parameter(request, 'client_id')
  if (!isClientIdShaped(clientId)) throw new NotFound('app')
  return found(await organizationApps.find(organization.id, clientId), 'app')
}

const peopleOfPage = 10

/** The page of an installed app, and the form that changes what it may do. @returns the form, for its faults */
export const organizationApp = ({ get, deps }: AdminRoutes): Pick<AppPages, 'change'> => {
  const { workspaces, organizationApps, installPreviews, permissionUse } = deps
  const editConflict = createEditConflict(deps)

  const peopleOf = async (
    { request, text }: AdminVisit,
    one: InstalledAppWithWidening,
    url: string,
  ) => {
    const parts = { label: text.organization.app.find, anchor: 'people' }
    const list = listOf({ request, text }, url, ['name'], parts)
    const page = await organizationApps.people(one.install, list.ask(peopleOfPage))
    return {
      peopleHeading: text.organization.app.people(one.people),
      people: page.items.map((person) => ({
        name: person.name,
        email: shownEmail(person.email),
        since: momentOf(text, person.since),
        lastUsed: person.lastUsed && momentOf(text, person.lastUsed),
        ...accessLinks(text, url, person.userId, person),
      })),
      filter: one.people > fewPeople || list.part.name ? list.filter : null,
      peopleSort: list.sorts.name,
      list: list.links(page),
    }
  }

  /** @returns null: the app is public, or its maker signs with keys */
  const secretsOf = async ({ text }: AdminVisit, { app }: InstalledAppWithWidening) => {
    if (app.clientType === 'public') return null
    const secrets = await organizationApps.secrets(app.clientId)
    if (secrets.length === 0 && (app.jwks || app.jwksUri || app.workloads.length > 0)) return null
    return secrets.map(({ createdAt, expiresAt }, at) => ({
      created: momentOf(text, createdAt),
      age: text.formats.daysAgo(Math.floor((Date.now() - createdAt.getTime()) / dayInMs)),
      isOld: at < secrets.length - 1,
      until: expiresAt && momentOf(text, expiresAt),
    }))
  }

  get('/apps/:client_id', async (visit) => {
    const { request, text, organization, base } = visit
    const one = await appOfVisit(deps, visit)
    const { app, install } = one
    const { clientId } = app
    const url = appUrl(base, clientId)
    const [names, size, people, secrets, trail, unused] = await Promise.all([
      workspaces.names(organization.id),
      deps.audiencePeople.size(install),
      peopleOf(visit, one, url),
      secretsOf(visit, one),
      deps.activity.page(organization.id, { clientId }, { kind: 'newest' }, latestEvents),
      permissionUse.unused(clientId, organization.id),
    ])
    const activityUrl = `${base}/activity`
    return showPage(visit, 'apps', 'organization-app', {
      title: app.name,
      ...people,
      action: url,
      backUrl: asLeft(request, `${base}/apps`),
      notice: noticeOf(visit, text.done.apps),
      clientId,
      ...installedApp(visit, one),
      permissionGroups: presentPermissions(visit, one),
      use: useSentences(visit, unused),
      narrowUrl: unused[30]?.length ? `${url}/change?unused=30` : null,
      workspaces: namesWithin(app.interface, install.workspaceIds, names),
      /** How many of the members can use it. */
      forWhom: text.organization.audience.size(size.inside, size.members),
      membersUrl: `${url}/members`,
      audienceUrl: `${url}/audience`,
      installedBy: one.installedBy,
      since: momentOf(text, install.createdAt),
      end: endOf(text, install),
      changeUrl: `${url}/change`,
      endsUrl: `${url}/ends`,
      ...wideningItems(visit, one),
      secrets,
      activity: trailEntries(trailReader(visit), trail),
      activityUrl: `${activityUrl}?${new URLSearchParams({ client_id: clientId })}`,
      suspendUrl: install.suspended ? null : `${url}/suspend`,
      uninstallUrl: `${url}/uninstall`,
    })
  })

  const change: AppPages['change'] = async (
    visit,
    { app, install },
    { fault, shown, choice, unused = [] },
  ) => {
    const { text, organization, base } = visit
    const { clientId, interface: api, permissions } = app
    const names = await workspaces.names(organization.id)
    const ticked =
      fault?.permissions ??
      choice?.permissions ??
      install.permissions.filter((one) => !unused.includes(one))
    const limit = (fault ?? choice ?? install).workspaceIds
    const choices = api === 'legacy' ? null : limitChoice(text, names, limit)
    const locked = lockedPermissions(app, permissions, install.permissions)
    const url = appUrl(base, clientId)
    const chosen = [...ticked, ...locked]
    const proposed =
      unused.length > 0
        ? { permissions: chosen, workspaceIds: install.workspaceIds }
        : { permissions: [], workspaceIds: [] }
    const [{ people, jobs }, { inside, members }] = await Promise.all([
      installPreviews.find(install, proposed),
      deps.audiencePeople.size(install),
    ])
    return showPage(visit, 'apps', 'organization-app-change', {
      title: text.organization.appChange.title,
      withScript: true,
      status: fault ? 400 : choice ? 409 : 200,
      action: url,
      backUrl: url,
      notice: null,
      prefix: '',
      clientId,
      app: cardOf(app),
      summary: sentencesOf(visit, app, {
        ...{ offered: permissions, permissions: chosen, locked },
        reach: reachOf(api, organization.name, limit?.length ?? null),
      }),
      sentenceUrl: `${url}/sentence`,
      bounds: {
        forWhom: [text.organization.audience.size(inside, members)],
        forMe: null,
        ends: endWords(text, install) ?? text.decision.noEnd,
        undo: text.organization.appChange.undo,
      },
      version: shown || versionOf(install),
      saved: choice ? await editConflict(visit, clientId, api, install, names) : null,
      mayUntick: permissions.length > 0,
      affected: text.organization.appChange[unused.length > 0 ? 'narrowed' : 'affected'](
        people,
        jobs,
      ),
      lockedHint: locked.length > 0 ? text.permissionList.lockedChange : null,
      permissionGroups: describePermissions(visit, api, permissions, {
        ...{ ticked, locked },
        reasons: app.permissionReasons,
      }),
      workspaces: choices,
      error: fault?.error ?? null,
    })
  }

  get('/apps/:client_id/sentence', async (visit) => {
    const { request, reply, organization } = visit
    const { app, install } = await appOfVisit(deps, visit)
    const { permissions, places } = tickedInAddress(request)
    const sentences = sentencesOf(visit, app, {
      ...{ offered: app.permissions, permissions },
      locked: lockedPermissions(app, app.permissions, install.permissions),
      reach: reachOf(app.interface, organization.name, places),
    })
    return reply.header('cache-control', 'no-store').send(sentences)
  })

  get('/apps/:client_id/change', async (visit) => {
    const one = await appOfVisit(deps, visit)
    if (queried(visit.request, 'unused') !== '30') return change(visit, one, {})
    const unused = await permissionUse.unused(one.app.clientId, visit.organization.id)
    return change(visit, one, { unused: unused[30] ?? [] })
  })
  return { change }
}
