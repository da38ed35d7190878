import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type InstallState, installStates } from '../../../core/organizations/organization-apps.ts'
import type { SuspendAll } from '../../../core/organizations/suspend-all.ts'
import type { Text } from '../../../words/text.ts'
import { hasFoldedChoice } from '../../rendering/fields/workspace-choice.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { addressOf, type ListPart, linksOf, readPart, searchOf } from '../../rendering/long-list.ts'
import { textOf } from '../../rendering/reader-text.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
  parameter,
} from '../gate.ts'
import { organizationTabs } from '../tabs.ts'
import { type AppDecisionDependencies, type AppPages, createAppDecisions } from './decisions.ts'
import { type AppEndDependencies, organizationAppEnd } from './end.ts'
import { appUrl, freshItem, installedRow, requestItem } from './items.ts'
import { appNotice } from './notice.ts'
import { type AppPageDependencies, organizationApp } from './page.ts'
import { organizationAppStops } from './stops.ts'

export type OrganizationAppsDependencies = AppDecisionDependencies &
  OrganizationGateDependencies &
  AppPageDependencies &
  AppEndDependencies & { suspendAll: SuspendAll }

const path = '/organizations/:id/apps'
const mostWaiting = 25

const isState = (name: string): name is InstallState =>
  (installStates as readonly string[]).includes(name)

/** The part of the list that the address names, with the chosen state. */
const readApps = (request: FastifyRequest): ListPart & { state: InstallState | null } => {
  const named = queried(request, 'state')
  const state = isState(named) ? named : null
  return { ...readPart(request), filters: state ? { state } : {}, state }
}

const filterOf = (text: Text, action: string, part: ReturnType<typeof readApps>) => ({
  action,
  name: part.name,
  choices: (['all', ...installStates] as const).map((value) => ({
    value: value === 'all' ? '' : value,
    label: text.organization.apps.states[value],
    isChosen: value === (part.state ?? 'all'),
  })),
  isOpen: part.name === '' && part.state === null,
})

/** The page of installed and requested apps, with all decisions of an admin about them. */
export const organizationApps = (scope: FastifyInstance, deps: OrganizationAppsDependencies) => {
  const { renderer, installRequests, workspaces, catalogue } = deps
  const asAdmin = createOrganizationGate(deps)

  const waitingOf = async ({ organization }: AdminVisit, part: ListPart) => {
    // What waits stands before the list, so only on its first page.
    if (part.after) return { asked: [], fresh: [] }
    const asked = await installRequests.list(organization.id)
    return {
      asked: asked.slice(0, mostWaiting),
      fresh: await deps.organizationApps.widening(organization.id, mostWaiting),
    }
  }

  const togetherOf = (text: Text, base: string, count: number) =>
    count === 0
      ? null
      : { words: text.organization.apps.together(count), href: `${base}/resume-all` }

  const list: AppPages['list'] = async (visit, fault) => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const url = `${base}/apps`
    const part = readApps(request)
    const [{ asked, fresh }, page, names, counts] = await Promise.all([
      waitingOf(visit, part),
      deps.organizationApps.list(organization.id, { ...searchOf(part), state: part.state }),
      workspaces.names(organization.id),
      deps.suspendAll.counts(organization.id),
    ])
    const filter = filterOf(text, url, part)
    const requests = asked.map((one) => requestItem(text, catalogue, one, names, fault))
    return renderer.page(
      request,
      reply,
      'organization-apps',
      {
        session,
        title: text.organization.apps.title,
        withScript: hasFoldedChoice(requests.map((one) => one.workspaces)),
        ...(fault && { status: 400 }),
      },
      {
        ...organizationTabs(text, organization, 'apps'),
        action: addressOf(url, part),
        notice: fault ? null : appNotice(text, queried(request, 'done')),
        field: `#${fault?.clientId ?? ''}-workspaces`,
        error: fault?.error ?? null,
        requests,
        fresh: fresh.flatMap((one) => freshItem(text, catalogue, one, base)),
        waiting: part.after ? 0 : organization.toDecide,
        filter: page.items.length > 0 || part.after || !filter.isOpen ? filter : null,
        installed: page.items.map((one) => installedRow(text, catalogue, one, base, names)),
        list: linksOf(url, part, page),
        directoryUrl: `${base}/directory`,
        suspendAllUrl: counts.active > 0 ? `${base}/suspend-all` : null,
        together: togetherOf(text, base, counts.suspendedTogether),
      },
    )
  }

  const { change } = organizationApp(scope, deps)
  organizationAppStops(scope, deps)
  organizationAppEnd(scope, deps)
  const decide = createAppDecisions(deps, { list, change })

  /** The page of the app after a decision that was made there; else the list. */
  const nextOf = (visit: AdminVisit, done: string | null, clientId: string | null) => {
    const more: Record<string, string> = done === null ? {} : { done }
    const ownPage = ['changed', 'widened', 'kept', 'suspended', 'resumed', 'ended']
    return clientId !== null && done !== null && ownPage.includes(done)
      ? addressOf(appUrl(visit.base, clientId), { name: '', after: null }, more)
      : addressOf(`${visit.base}/apps`, readApps(visit.request), more)
  }

  const answer = async (visit: AdminVisit, clientId: string | null): Promise<FastifyReply> => {
    const decided = await decide(visit, clientId)
    if (typeof decided === 'object' && decided !== null) return decided.answer()
    const location = nextOf(visit, decided, clientId)
    return visit.reply.header('cache-control', 'no-store').redirect(location, 303)
  }

  scope.get(
    path,
    asAdmin((visit) => list(visit, null)),
  )
  scope.post(
    path,
    asAdmin((visit) => answer(visit, null)),
  )
  scope.post(
    `${path}/:client_id`,
    asAdmin((visit) => answer(visit, parameter(visit.request, 'client_id'))),
  )
}
