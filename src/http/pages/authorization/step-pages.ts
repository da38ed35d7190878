import type { FastifyReply } from 'fastify'
import type {
  Membership,
  Step,
  WorkspaceSummary,
} from '../../../core/authorization/consent-steps.ts'
import { mayAskFor } from '../../../core/authorization/places.ts'
import type { AuthorizationRequest } from '../../../core/authorization/requests.ts'
import type { App } from '../../../core/clients/app.ts'
import type { OpenidScope } from '../../../core/clients/openid.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import { intersect } from '../../../core/language/permissions.ts'
import type { Phrase } from '../en/phrase.ts'
import { forDecision } from '../rendering/decision-list.ts'
import { field, fields } from '../rendering/forms.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { momentOf, type Renderer, requestingAppCard, returnsTo } from '../rendering/render.ts'
import { type Reach, summaryOf } from '../rendering/summary.ts'
import { type Text, textOf } from '../rendering/text.ts'
import { hasFoldedChoice, workspaceChoice } from '../rendering/workspace-choice.ts'
import { shownCodeOf, startOf } from './device.ts'
import type { InteractionVisit } from './visit.ts'

/** The fault of the last form, shown beside its fields. */
export type FormFault = 'choice_missing' | 'workspace_missing' | 'outdated'

export interface StepPages {
  show(visit: InteractionVisit, step: Step, fault?: FormFault): Promise<FastifyReply>
}

const organizationOf = (membership: Membership) => ({
  id: membership.organizationId,
  name: membership.organizationName,
})

// Keeps what the user unticked, unless that was the fault.
const options = (workspaces: WorkspaceSummary[], fault?: FormFault) =>
  workspaces.map(({ id, name }) => ({ id, name, ticked: fault !== 'workspace_missing' }))

const permissionsTicked = (visit: InteractionVisit, fault?: FormFault) =>
  fault && fields(visit.request, 'permissions')

const laterTicked = (visit: InteractionVisit, fault?: FormFault) =>
  !fault || field(visit.request, 'later_workspaces') !== ''

const faultWords = (text: Text, fault?: FormFault) => {
  if (fault === 'outdated') return text.organization.outdated
  return fault ? text.workspaces.chooseOne : null
}

/** For the admin: what the app will ask each user for; null when nothing. */
const identityWords = (text: Text, scopes: readonly OpenidScope[]) =>
  scopes.length === 0
    ? null
    : text.install.identity(scopes.includes('profile'), scopes.includes('email'))

const namesOf = (workspaces: WorkspaceSummary[] | null) =>
  workspaces ? workspaces.map(({ name }) => name) : 'all'

/** The next place for the user. */
const returnsOf = (text: Text, { device, installLink, redirectUri }: AuthorizationRequest) => {
  if (device) return [text.device.returns]
  return installLink && redirectUri === '' ? [text.installLink.stays] : returnsTo(text, redirectUri)
}

/** Label of the button that ends the request when nothing can be allowed. */
const backOf = (
  text: Text,
  { device, installLink, redirectUri }: AuthorizationRequest,
  app: App,
) => {
  if (device) return [text.consent.deny]
  return installLink && redirectUri === '' ? [text.installLink.back] : text.decision.back(app.name)
}

interface StepPagesDependencies {
  renderer: Renderer
  catalogue: PermissionCatalogue
  origin: string
  /** The server sends mails. */
  mails: boolean
  /** Milliseconds since 1970. */
  now(): number
}

/** Where the permissions of a consent count. */
const reachOf = (visit: InteractionVisit, step: Step & { kind: 'consent' }): Reach => {
  const { app, pending } = visit
  if (app.interface === 'legacy')
    return { kind: 'organization', name: step.membership.organizationName }
  const { length: count } = step.workspaces
  const isAll = pending.workspaceIds === null && count > 0 && count === step.workspaceTotal
  return isAll ? { kind: 'all' } : { kind: 'some', count }
}

const mostNamed = 5

/** "Kim, Lee or Sam". Long lists are shortened; null: there is no admin. */
const adminsOf = ({ formats, askAdmin }: Text, names: readonly string[]): Phrase | null => {
  if (names.length === 0) return null
  const rest = names.length > mostNamed ? [[askAdmin.anotherAdmin]] : []
  return formats.list.any([...names.slice(0, mostNamed), ...rest])
}

/** @param resources data APIs; without a name, the platform's own */
const apisOf = ({ formats, consent }: Text, resources: readonly { name: string | null }[]) =>
  consent.apis(formats.list.all([...new Set(resources.map(({ name }) => name ?? consent.ownApi))]))

/** Renders one page for each step that needs the user. */
export const createStepPages = (deps: StepPagesDependencies): StepPages => {
  const { renderer, catalogue, origin, now } = deps

  /** Who learns of a request. */
  const seenBy = (text: Text, admins: readonly string[]): Phrase => {
    const { seen, told } = text.requestSent
    if (!deps.mails) return seen(adminsOf(text, admins))
    const isNamed = admins.length > 0 && admins.length <= mostNamed
    return told(isNamed ? text.formats.list.all(admins) : null)
  }

  const common = (text: Text, { pending, app }: InteractionVisit) => ({
    app: requestingAppCard(app, pending),
    deviceCode: shownCodeOf(pending.device),
    returns: returnsOf(text, pending),
    back: backOf(text, pending, app),
    deviceStart: pending.device ? startOf(text, pending.device, now()) : null,
    action: `/interaction/${pending.id}`,
    returnTo: `/interaction/${pending.id}`,
  })

  const context = (visit: InteractionVisit, title: string, fault?: FormFault) => ({
    session: visit.session,
    title,
    redirectUri: visit.pending.redirectUri,
    ...(fault && { status: 400 }),
  })

  const switchUrl = ({ pending }: InteractionVisit, step: { canSwitch: boolean }) =>
    step.canSwitch ? `/interaction/${pending.id}?choose=1` : null

  const chooseOrganization = (
    visit: InteractionVisit,
    step: Step & { kind: 'choose_organization' },
    fault?: FormFault,
  ) => {
    const text = textOf(visit.request)
    return renderer.page(
      visit.request,
      visit.reply,
      'choose-organization',
      context(visit, text.titles.chooseOrganization, fault),
      {
        ...common(text, visit),
        organizations: step.memberships.map((one) => ({
          ...organizationOf(one),
          role: one.role,
          installed: one.install !== null,
        })),
        selectedId: visit.pending.organizationId,
        preselectedUnavailable: step.hintRefused && !fault,
        error: fault ? text.chooseOrganization.chooseOne : null,
      },
    )
  }

  const install = (
    visit: InteractionVisit,
    step: Step & { kind: 'install' },
    fault?: FormFault,
  ) => {
    const text = textOf(visit.request)
    const isCurrent = visit.app.interface === 'current'
    const all = { ticked: fault !== 'workspace_missing' }
    const workspaces = isCurrent
      ? workspaceChoice(text, { all, options: options(step.workspaces, fault) })
      : null
    const { organizationName } = step.membership
    const reach: Reach = isCurrent
      ? { kind: 'all' }
      : { kind: 'organization', name: organizationName }
    const permissionGroups = describePermissions(
      text,
      catalogue,
      visit.app.interface,
      step.offered,
      undefined,
      permissionsTicked(visit, fault),
    )
    return renderer.page(
      visit.request,
      visit.reply,
      'install',
      { ...context(visit, text.titles.install, fault), withScript: hasFoldedChoice([workspaces]) },
      {
        ...common(text, visit),
        organization: organizationOf(step.membership),
        switchUrl: switchUrl(visit, step),
        mayUntick: step.offered.length > 0,
        summary: summaryOf(text, {
          catalogue,
          api: visit.app.interface,
          permissions: step.offered,
          reach,
        }),
        permissionGroups: forDecision(text, permissionGroups),
        workspaces,
        identity: identityWords(text, step.openidScopes),
        error: faultWords(text, fault),
      },
    )
  }

  const askAdmin = (visit: InteractionVisit, step: Step & { kind: 'ask_admin' }) => {
    const text = textOf(visit.request)
    const { requestedAt, refusedAt, withdrawnAt, expiredAt } = step.membership
    const forPerson = step.membership.install !== null
    if (!requestedAt && !mayAskFor(step.membership))
      return blocked(visit, step, text.error.appsClosed)
    if (requestedAt) {
      return renderer.page(
        visit.request,
        visit.reply,
        'request-sent',
        context(visit, text.titles.requestSent),
        {
          ...common(text, visit),
          organization: organizationOf(step.membership),
          switchUrl: switchUrl(visit, step),
          clientId: visit.app.clientId,
          forPerson,
          seen: seenBy(text, step.admins),
          adminUrl: `${origin}/organizations/${step.membership.organizationId}/apps`,
          asked: momentOf(text, requestedAt),
        },
      )
    }
    return renderer.page(
      visit.request,
      visit.reply,
      'ask-admin',
      context(visit, text.titles.askAdmin),
      {
        ...common(text, visit),
        organization: organizationOf(step.membership),
        switchUrl: switchUrl(visit, step),
        forPerson,
        expiredAt: expiredAt && momentOf(text, expiredAt),
        who: text.askAdmin.who(adminsOf(text, step.admins)),
        refusedAt: refusedAt && momentOf(text, refusedAt),
        withdrawnAt: withdrawnAt && momentOf(text, withdrawnAt),
      },
    )
  }

  const consent = (
    visit: InteractionVisit,
    step: Step & { kind: 'consent' },
    fault?: FormFault,
  ) => {
    const text = textOf(visit.request)
    const { install } = step.membership
    const workspaces =
      visit.app.interface === 'current'
        ? workspaceChoice(text, {
            all: null,
            options: options(step.workspaces, fault),
            total: step.workspaceTotal,
            later:
              visit.pending.workspaceIds === null ? { ticked: laterTicked(visit, fault) } : null,
          })
        : null
    const permissionGroups = describePermissions(
      text,
      catalogue,
      visit.app.interface,
      step.offered,
      step.before?.permissions,
      permissionsTicked(visit, fault),
      {
        scopes: step.openidScopes,
        reader: 'self',
        ...(step.before && { before: step.before.openidScopes }),
      },
    )
    return renderer.page(
      visit.request,
      visit.reply,
      'consent',
      { ...context(visit, text.titles.consent, fault), withScript: hasFoldedChoice([workspaces]) },
      {
        ...common(text, visit),
        organization: organizationOf(step.membership),
        switchUrl: switchUrl(visit, step),
        mayUntick: step.offered.length > 0,
        apis: step.resources && apisOf(text, step.resources),
        summary: summaryOf(text, {
          catalogue,
          api: visit.app.interface,
          permissions: step.offered,
          reach: reachOf(visit, step),
        }),
        permissionGroups: forDecision(text, permissionGroups),
        workspaces,
        approval: install.approvedBy
          ? { by: install.approvedBy, on: momentOf(text, install.createdAt) }
          : null,
        error: faultWords(text, fault),
      },
    )
  }

  /** A link to install an app that is installed there. */
  const alreadyInstalled = (visit: InteractionVisit, step: Step & { kind: 'installed' }) => {
    const text = textOf(visit.request)
    const { install, role } = step.membership
    return renderer.page(
      visit.request,
      visit.reply,
      'installed',
      context(visit, text.titles.installed),
      {
        ...common(text, visit),
        organization: organizationOf(step.membership),
        switchUrl: switchUrl(visit, step),
        mayConfirm: role === 'admin',
        since: momentOf(text, install.createdAt),
        workspaces: visit.app.interface === 'legacy' ? null : namesOf(step.approvedWorkspaces),
        permissionGroups: describePermissions(
          text,
          catalogue,
          visit.app.interface,
          intersect(visit.app.permissions, install.permissions),
        ),
      },
    )
  }

  /** This user cannot continue in this organization. */
  const blocked = (
    visit: InteractionVisit,
    step: Step & { kind: 'suspended' | 'out_of_reach' | 'ask_admin' },
    words: { heading: string; message: string; move: string },
  ) => {
    const text = textOf(visit.request)
    return renderer.page(
      visit.request,
      visit.reply,
      'blocked',
      { ...context(visit, words.heading), status: 403 },
      {
        ...common(text, visit),
        ...words,
        organization: organizationOf(step.membership),
        switchUrl: switchUrl(visit, step),
      },
    )
  }

  return {
    show: async (visit, step, fault) => {
      switch (step.kind) {
        case 'choose_organization':
          return chooseOrganization(visit, step, fault)
        case 'install':
          return install(visit, step, fault)
        case 'ask_admin':
          return askAdmin(visit, step)
        case 'consent':
          return consent(visit, step, fault)
        case 'installed':
          return alreadyInstalled(visit, step)
        case 'suspended':
          return blocked(visit, step, textOf(visit.request).error.suspended)
        case 'out_of_reach':
          return blocked(visit, step, textOf(visit.request).error.outOfReach)
        case 'sign_in':
        case 'answered':
          throw new Error(`step ${step.kind} has no page`)
      }
    },
  }
}
