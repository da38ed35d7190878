// The page of each step of an authorization request.
import type { FastifyReply } from 'fastify'
import type { Membership, Step, WorkspaceSummary } from '../../core/authorization/consent-steps.ts'
import { endOfNewInstall } from '../../core/authorization/expected-end.ts'
import { mayAskFor } from '../../core/authorization/places.ts'
import { intersect } from '../../core/language/permissions.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { describePermissions, requiredButCut } from '../rendering/permission-list.ts'
import type { PageReason } from '../rendering/refused-page.ts'
import { momentOf } from '../rendering/render.ts'
import { summaryOf } from '../rendering/summary.ts'
import { boundsOf, showConsent, showInstall, showSelfInstall } from './decision-pages.ts'
import {
  contextOf,
  type FormFault,
  frameOf,
  type InteractionVisit,
  organizationFrameOf,
  organizationOf,
} from './step-frame.ts'

type AskAdminStep = Step & { kind: 'ask_admin' }

const showChoice = (
  visit: InteractionVisit,
  { memberships, hintRefused }: Step & { kind: 'choose_organization' },
  fault?: FormFault,
) => {
  const { renderer, request, reply, text, pending } = visit
  const context = contextOf(visit, text.titles.chooseOrganization, fault)
  return renderer.page(request, reply, 'choose-organization', context, {
    ...frameOf(visit),
    organizations: memberships.map((one) => ({
      ...organizationOf(one),
      role: one.role,
      installed: one.install !== null,
    })),
    selectedId: pending.organizationId,
    /** The app named an organization that this user cannot use. */
    preselectedUnavailable: hintRefused && !fault,
    error: fault ? text.chooseOrganization.chooseOne : null,
  })
}

const namesOf = (workspaces: WorkspaceSummary[] | null) =>
  workspaces ? workspaces.map(({ name }) => name) : 'all'

/** A link to install an app that is installed there. */
const showInstalled = (visit: InteractionVisit, step: Step & { kind: 'installed' }) => {
  const { renderer, request, reply, text, app } = visit
  const { install, role } = step.membership
  const permissions = intersect(app.permissions, install.permissions)
  return renderer.page(request, reply, 'installed', contextOf(visit, text.titles.installed), {
    ...organizationFrameOf(visit, step),
    /** An admin can confirm the install. */
    mayConfirm: role === 'admin',
    since: momentOf(text, install.createdAt),
    workspaces: app.interface === 'legacy' ? null : namesOf(step.approvedWorkspaces),
    permissionGroups: describePermissions(visit, app.interface, permissions),
  })
}

/** This user cannot continue in this organization. */
const showBlocked = (
  visit: InteractionVisit,
  step: { membership: Membership; canSwitch: boolean },
  title: string,
  why: Omit<PageReason, 'error'>,
  words: Record<'heading' | 'message' | 'move', Phrase> & { adminUrl?: string | null },
) => {
  noteConcerned(visit.request, { clientId: visit.app.clientId })
  const refused = { ...why, error: 'access_denied' }
  const context = { ...contextOf(visit, title), status: 403, refused }
  const page = { ...organizationFrameOf(visit, step), adminUrl: null, ...words }
  return visit.renderer.page(visit.request, visit.reply, 'blocked', context, page)
}

/** The same for a reason that has its own words. */
const showReason = (
  visit: InteractionVisit,
  step: Step & { kind: 'paused' | 'out_of_reach' | 'ask_admin' },
  page: 'suspended' | 'refusedByRules' | 'appsClosed' | 'outOfReach',
  reason: string = step.kind,
) => {
  const { heading, message, move } = visit.text.error[page]
  const words = { heading: [heading], message: [message], move: [move] }
  return showBlocked(visit, step, heading, { page, reason }, words)
}

const pausePages = { install_suspended: 'suspended', policy: 'refusedByRules' } as const

const mostNamed = 5

/** "Kim, Lee or Sam". Long lists are shortened; null: there is no admin. */
const adminsOf = ({ formats, askAdmin }: Text, names: readonly string[]): Phrase | null => {
  if (names.length === 0) return null
  const rest = names.length > mostNamed ? [[askAdmin.anotherAdmin]] : []
  return formats.list.any([...names.slice(0, mostNamed), ...rest])
}

/** Who learns of a request. */
const seenBy = (text: Text, admins: readonly string[], mails: boolean): Phrase => {
  const { seen, told } = text.requestSent
  if (!mails) return seen(adminsOf(text, admins))
  const isNamed = admins.length > 0 && admins.length <= mostNamed
  return told(isNamed ? text.formats.list.all(admins) : null)
}

/** The install is for others, and nobody can be asked to change that here. */
const showNotForYou = (visit: InteractionVisit, step: AskAdminStep) => {
  const { text, app } = visit
  const { keptOut, role, organizationId, organizationName } = step.membership
  const words = text.notForYou
  const isAdmin = role === 'admin'
  const why = { page: 'notForYou', reason: keptOut ?? 'not_in_audience' } as const
  return showBlocked(visit, step, text.titles.notForYou, why, {
    heading: words.heading(app.name, organizationName),
    message: [keptOut === 'denied' ? words.denied : words.audience],
    move: isAdmin ? [words.admin] : words.who(adminsOf(text, step.admins)),
    adminUrl: isAdmin
      ? `/organizations/${organizationId}/apps/${encodeURIComponent(app.clientId)}`
      : null,
  })
}

/** Nobody can install the app here, or begin to use it. */
const showCut = (visit: InteractionVisit, step: Step & { kind: 'cut' }) => {
  const { text, app } = visit
  const { install, organizationName } = step.membership
  const kind = install ? 'consent' : 'install'
  const why = { page: 'cut', reason: 'permission_required' } as const
  return showBlocked(visit, step, text.titles[kind], why, {
    heading: text.cut[kind](app.name, organizationName),
    message: requiredButCut(visit, step.permissions),
    move: [text.cut.move],
  })
}

/** The question of the form, and why an admin decides. */
const questionOf = ({ text, app }: InteractionVisit, { membership, admins }: AskAdminStep) => {
  const { askAdmin, notForYou } = text
  const { keptOut, install, organizationName: name } = membership
  const who = adminsOf(text, admins)
  if (keptOut)
    return {
      heading: notForYou.heading(app.name, name),
      why: [[notForYou.audience], notForYou.who(who)],
    }
  return install
    ? { heading: askAdmin.connectHeading(app.name, name), why: [[askAdmin.connectWho]] }
    : { heading: askAdmin.heading(app.name, name), why: [askAdmin.who(who)] }
}

const showRequestForm = (visit: InteractionVisit, step: AskAdminStep) => {
  const { renderer, request, reply, text, app } = visit
  const { refusedAt, refusalReason, withdrawnAt, expiredAt, keptOut } = step.membership
  const { organizationName: name } = step.membership
  const offer = { api: app.interface, permissions: step.offered }
  const title = keptOut ? text.titles.notForYou : text.titles.askAdmin
  const refused = keptOut
    ? ({ page: 'notForYou', reason: keptOut, error: null } as const)
    : undefined
  const context = { ...contextOf(visit, title), ...(refused && { status: 403, refused }) }
  return renderer.page(request, reply, 'ask-admin', context, {
    refused: refused !== undefined,
    ...organizationFrameOf(visit, step),
    ...questionOf(visit, step),
    bounds: boundsOf(visit, {
      end: endOfNewInstall(step.membership, visit.now()),
      ...{ forWhom: null, forMe: null },
      undo: text.decision.undoAsked,
    }),
    summary: summaryOf(visit, { ...offer, reach: { kind: 'organization', name } }),
    expiredAt: expiredAt && momentOf(text, expiredAt),
    refusedAt: refusedAt && momentOf(text, refusedAt),
    refusalReason: refusedAt && refusalReason,
    withdrawnAt: withdrawnAt && momentOf(text, withdrawnAt),
  })
}

const showRequestSent = (visit: InteractionVisit, step: AskAdminStep, requestedAt: Date) => {
  const { renderer, origin, ways, request, reply, text, app } = visit
  const { organizationId, install } = step.membership
  return renderer.page(request, reply, 'request-sent', contextOf(visit, text.titles.requestSent), {
    ...organizationFrameOf(visit, step),
    clientId: app.clientId,
    /** The request is to connect an installed app. */
    forPerson: install !== null,
    seen: seenBy(text, step.admins, ways.mails),
    adminUrl: `${origin}/organizations/${organizationId}/apps`,
    requested: momentOf(text, requestedAt),
  })
}

/** A member asks the admins for an app, sees the open request, or reads that the organization allows no requests. */
const showAskAdmin = (visit: InteractionVisit, step: AskAdminStep) => {
  const { requestedAt, keptOut, role } = step.membership
  const mayAsk = mayAskFor(step.membership)
  if (keptOut && (!mayAsk || role === 'admin')) return showNotForYou(visit, step)
  if (requestedAt) return showRequestSent(visit, step, requestedAt)
  return mayAsk ? showRequestForm(visit, step) : showReason(visit, step, 'appsClosed')
}

/** Shows the page of a step that needs the user. */
export const showStep = async (
  visit: InteractionVisit,
  step: Step,
  fault?: FormFault,
): Promise<FastifyReply> => {
  switch (step.kind) {
    case 'choose_organization':
      return showChoice(visit, step, fault)
    case 'install':
      return showInstall(visit, step, fault)
    case 'ask_admin':
      return showAskAdmin(visit, step)
    case 'consent':
      return showConsent(visit, step, fault)
    case 'installed':
      return showInstalled(visit, step)
    case 'self_install':
      return showSelfInstall(visit, step)
    case 'cut':
      return showCut(visit, step)
    case 'paused':
      return showReason(visit, step, pausePages[step.reason], step.reason)
    case 'out_of_reach':
      return showReason(visit, step, 'outOfReach')
    case 'sign_in':
    case 'answered':
      throw new Error(`step ${step.kind} has no page`)
  }
}
