import { installStates } from '../../../core/organizations/organization-apps.ts'
import { hasFoldedChoice } from '../../rendering/fields/workspace-choice.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { addressOf, choiceOf, firstPart, listOf } from '../../rendering/long-list.ts'
import { noticeOf, showPage } from '../frame.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { organizationAppAudience } from './audience.ts'
import { type AppPages, createAppDecisions } from './decisions.ts'
import { organizationAppEnd } from './end.ts'
import { appUrl, freshItem, installedRow, requestItem } from './items.ts'
import { organizationApp } from './page.ts'
import { organizationRequests } from './requests.ts'
import { organizationAppStops } from './stops.ts'

const mostWaiting = 6
const appsOfPage = 20

/** Decisions after which the page of the app is shown. */
const staying = [
  ...['adopted', 'changed', 'widened', 'kept', 'suspended', 'resumed', 'ended'],
  ...['audience', 'denied', 'readmitted'],
]

/** The list of installed apps, as the address names it. */
const listOfApps = (visit: AdminVisit) => {
  const { find: label, state, states } = visit.text.organization.apps
  const choices = [choiceOf('state', state, states, installStates)]
  const parts = { label, anchor: 'installed', choices }
  return listOf(visit, `${visit.base}/apps`, ['name', 'last_used'], parts)
}

/** The page of installed and requested apps, with all decisions of an admin about them. */
export const organizationApps = (routes: AdminRoutes) => {
  const { get, post, deps } = routes
  const { installRequests, workspaces, suspendAll } = deps

  const waitingOf = async ({ organization: { id } }: AdminVisit) => {
    const requested = (await installRequests.list(id)).slice(0, mostWaiting)
    const left = mostWaiting - requested.length
    return { requested, fresh: left > 0 ? await deps.organizationApps.widening(id, left) : [] }
  }

  const list: AppPages['list'] = async (visit, fault) => {
    const { text, organization, base } = visit
    const words = text.organization.apps
    const { part, filter, sorts, ...shown } = listOfApps(visit)
    // What waits stands before the list, so only while nothing is searched, on the first page.
    const isWhole = !part.after && part.name === '' && part.sort === '' && !part.filters.state
    const [{ requested, fresh }, page, names, { active, suspendedTogether }] = await Promise.all([
      isWhole ? waitingOf(visit) : { requested: [], fresh: [] },
      deps.organizationApps.list(organization.id, shown.ask(appsOfPage)),
      workspaces.names(organization.id),
      suspendAll.counts(organization.id),
    ])
    const requests = requested.map((one) => requestItem(visit, one, names, fault))
    return showPage(visit, 'apps', 'organization-apps', {
      title: words.title,
      withScript: hasFoldedChoice(requests.map((one) => one.workspaces)),
      status: fault ? 400 : 200,
      action: addressOf(`${base}/apps`, part),
      notice: fault ? null : noticeOf(visit, text.done.apps),
      /** The field of the first fault, for the summary on top. */
      field: `#${fault?.clientId ?? ''}-workspaces`,
      error: fault?.error ?? null,
      requests,
      fresh: fresh.flatMap((one) => freshItem(visit, one)),
      /** How many wait in all; 0 on later pages of the list. */
      waiting: isWhole ? organization.toDecide : 0,
      severalUrl: requests.length > 1 ? `${base}/requests` : null,
      filter: page.items.length > 0 || part.after || !filter.isOpen ? filter : null,
      sorts,
      installed: page.items.map((one) => installedRow(visit, one, names)),
      list: shown.links(page),
      directoryUrl: `${base}/directory`,
      suspendAllUrl: active > 0 ? `${base}/suspend-all` : null,
      together:
        suspendedTogether > 0
          ? { words: words.together(suspendedTogether), href: `${base}/resume-all` }
          : null,
    })
  }

  const { change } = organizationApp(routes)
  organizationRequests(routes)
  organizationAppStops(routes)
  organizationAppEnd(routes)
  organizationAppAudience(routes)
  const decide = createAppDecisions(deps, { list, change })

  /** The page of the app after a decision that was made there; else the list. */
  const nextOf = (visit: AdminVisit, done: string | null, clientId: string | null) => {
    const more: Record<string, string> = done === null ? {} : { done }
    return clientId !== null && done !== null && staying.includes(done)
      ? addressOf(appUrl(visit.base, clientId), firstPart, more)
      : addressOf(`${visit.base}/apps`, clientId ? firstPart : listOfApps(visit).part, more)
  }

  /** @param clientId the app of the address; null: the form names it */
  const answer = async (visit: AdminVisit, clientId: string | null) => {
    const decided = await decide(visit, clientId)
    return typeof decided === 'function'
      ? decided()
      : leave(visit, nextOf(visit, decided, clientId))
  }

  get('/apps', (visit) => list(visit, null))
  post('/apps', (visit) => answer(visit, null))
  post('/apps/:client_id', (visit) => answer(visit, parameter(visit.request, 'client_id')))
}
