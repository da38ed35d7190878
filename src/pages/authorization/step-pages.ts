// The page of each step of an authorization request.
import type { FastifyReply } from 'fastify'
import type { Step, WorkspaceSummary } from '../../core/authorization/consent-steps.ts'
import { mayAskFor } from '../../core/authorization/places.ts'
import { intersect } from '../../core/language/permissions.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { momentOf } from '../rendering/render.ts'
import { summaryOf } from '../rendering/summary.ts'
import { showConsent, showInstall } from './decision-pages.ts'
import {
  contextOf,
  type FormFault,
  frameOf,
  type InteractionVisit,
  organizationFrameOf,
  organizationOf,
} from './step-frame.ts'

type AskAdminStep = Step & { kind: 'ask_admin' }

/** Asks in which organization the user wants to use the app. */
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
    preselectedUnavailable: hintRefused && !fault,
    error: fault ? text.chooseOrganization.chooseOne : null,
  })
}

const namesOf = (workspaces: WorkspaceSummary[] | null) =>
  workspaces ? workspaces.map(({ name }) => name) : 'all'

/** A link to install an app that is installed there. */
const showInstalled = (visit: InteractionVisit, step: Step & { kind: 'installed' }) => {
  const { renderer, catalogue, request, reply, text, app } = visit
  const { install, role } = step.membership
  const permissions = intersect(app.permissions, install.permissions)
  return renderer.page(request, reply, 'installed', contextOf(visit, text.titles.installed), {
    ...organizationFrameOf(visit, step),
    mayConfirm: role === 'admin',
    since: momentOf(text, install.createdAt),
    workspaces: app.interface === 'legacy' ? null : namesOf(step.approvedWorkspaces),
    permissionGroups: describePermissions(text, catalogue, app.interface, permissions),
  })
}

/** This user cannot continue in this organization. */
const showBlocked = (
  visit: InteractionVisit,
  step: Step & { kind: 'suspended' | 'out_of_reach' | 'ask_admin' },
  words: { heading: string; message: string; move: string },
) => {
  const context = { ...contextOf(visit, words.heading), status: 403 }
  const own = { ...organizationFrameOf(visit, step), ...words }
  return visit.renderer.page(visit.request, visit.reply, 'blocked', context, own)
}

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

const showRequestForm = (visit: InteractionVisit, step: AskAdminStep) => {
  const { renderer, catalogue, request, reply, text, app } = visit
  const { refusedAt, withdrawnAt, expiredAt, install, organizationName: name } = step.membership
  const offer = { catalogue, api: app.interface, permissions: step.offered }
  return renderer.page(request, reply, 'ask-admin', contextOf(visit, text.titles.askAdmin), {
    ...organizationFrameOf(visit, step),
    forPerson: install !== null,
    summary: summaryOf(text, { ...offer, reach: { kind: 'organization', name } }),
    expiredAt: expiredAt && momentOf(text, expiredAt),
    who: text.askAdmin.who(adminsOf(text, step.admins)),
    refusedAt: refusedAt && momentOf(text, refusedAt),
    withdrawnAt: withdrawnAt && momentOf(text, withdrawnAt),
  })
}

const showRequestSent = (visit: InteractionVisit, step: AskAdminStep, requestedAt: Date) => {
  const { renderer, origin, mails, request, reply, text, app } = visit
  const { organizationId, install } = step.membership
  return renderer.page(request, reply, 'request-sent', contextOf(visit, text.titles.requestSent), {
    ...organizationFrameOf(visit, step),
    clientId: app.clientId,
    forPerson: install !== null,
    seen: seenBy(text, step.admins, mails),
    adminUrl: `${origin}/organizations/${organizationId}/apps`,
    requested: momentOf(text, requestedAt),
  })
}

/** A member asks the admins for an app, sees the open request, or reads that the organization allows no requests. */
const showAskAdmin = (visit: InteractionVisit, step: AskAdminStep) => {
  const { requestedAt } = step.membership
  if (requestedAt) return showRequestSent(visit, step, requestedAt)
  return mayAskFor(step.membership)
    ? showRequestForm(visit, step)
    : showBlocked(visit, step, visit.text.error.appsClosed)
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
    case 'suspended':
      return showBlocked(visit, step, visit.text.error.suspended)
    case 'out_of_reach':
      return showBlocked(visit, step, visit.text.error.outOfReach)
    case 'sign_in':
    case 'answered':
      throw new Error(`step ${step.kind} has no page`)
  }
}
