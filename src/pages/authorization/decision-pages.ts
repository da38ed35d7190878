// The pages on which people decide: an admin installs an app, and a user lets an installed app act for them.
import type { Step, WorkspaceSummary } from '../../core/authorization/consent-steps.ts'
import { endOfConsent, endOfNewInstall } from '../../core/authorization/expected-end.ts'
import type { OpenidScope } from '../../core/clients/openid.ts'
import { lockedPermissions } from '../../core/clients/required-permissions.ts'
import type { AccessEnd } from '../../core/language/access-end.ts'
import { covers, intersect } from '../../core/language/permissions.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { endWords } from '../rendering/access-end.ts'
import { forDecision } from '../rendering/decision-list.ts'
import { workspaceChoice } from '../rendering/fields/workspace-choice.ts'
import { field, fields } from '../rendering/forms/sent-values.ts'
import { sentencesOf, tickedInAddress } from '../rendering/live-sentence.ts'
import {
  describePermissions,
  initialTicks,
  permissionSentence,
} from '../rendering/permission-list.ts'
import { momentOf } from '../rendering/render.ts'
import { type Reach, reachOf, summaryOf } from '../rendering/summary.ts'
import {
  contextOf,
  type FormFault,
  type InteractionVisit,
  organizationFrameOf,
} from './step-frame.ts'

type ConsentStep = Step & { kind: 'consent' }
type InstallStep = Step & { kind: 'install' }
type SelfInstallStep = Step & { kind: 'self_install' }

const faultWords = (text: Text, fault?: FormFault) => {
  if (fault === 'outdated') return text.organization.outdated
  return fault ? text.workspaces.chooseOne : null
}

/** What a form shows ticked: everything at first, and what the user has left ticked after a fault. */
const tickedIn = ({ request }: InteractionVisit, fault?: FormFault) => ({
  permissions: fault && fields(request, 'permissions'),
  later: !fault || field(request, 'later_workspaces') !== '',
})

/** The boxes of a form: all ticked, unless none was. */
const workspaceOptions = (workspaces: readonly WorkspaceSummary[], fault?: FormFault) =>
  workspaces.map(({ id, name }) => ({ id, name, ticked: fault !== 'workspace_missing' }))

const lockedHint = ({ permissionList }: Text, { kind }: ConsentStep | InstallStep) =>
  kind === 'install' ? permissionList.lockedInstall : permissionList.lockedConsent

const decisionOf = (
  visit: InteractionVisit,
  step: ConsentStep | InstallStep,
  reach: Reach,
  fault?: FormFault,
) => {
  const { text, app } = visit
  const { offered } = step
  const before = step.kind === 'consent' ? step.before : null
  const ticked =
    tickedIn(visit, fault).permissions ?? initialTicks(visit, app, offered, before?.permissions)
  const locked = lockedPermissions(app, offered)
  const permissions = intersect(offered, [...ticked, ...locked])
  const permissionGroups = describePermissions(visit, app.interface, offered, {
    approved: before?.permissions,
    ...{ ticked, locked, reasons: app.permissionReasons },
    identity: {
      // Users share their identity when they consent, not when an admin installs the app.
      scopes: step.kind === 'consent' ? step.openidScopes : [],
      reader: 'self',
      ...(before && { before: before.openidScopes }),
    },
  })
  return {
    ...organizationFrameOf(visit, step),
    sentenceUrl: `/interaction/${visit.pending.id}/sentence`,
    mayUntick: offered.length > locked.length,
    /** What to do instead of unticking what the app requires. */
    lockedHint: locked.length > 0 ? lockedHint(text, step) : null,
    // With no workspace chosen, the whole request would contradict the form.
    summary:
      fault === 'workspace_missing'
        ? []
        : summaryOf(visit, { api: app.interface, permissions, reach }),
    /** The summary says all that the page offers. */
    isWhole: covers([...ticked, ...locked], offered),
    permissionGroups: forDecision(text, permissionGroups),
    error: faultWords(text, fault),
  }
}

/** For the admin: what the app will ask each user for; null when nothing. */
const identityWords = (text: Text, scopes: readonly OpenidScope[]) =>
  scopes.length === 0
    ? null
    : text.install.identity(scopes.includes('profile'), scopes.includes('email'))

/**
 * Where the permissions count.
 * @param places the ticked workspaces; null: all, including future ones
 * @param isLater and those that the user joins later
 */
const reachIn = (
  { app }: InteractionVisit,
  step: ConsentStep | InstallStep,
  places: number | null,
  isLater: boolean,
): Reach => {
  const isAll = step.kind === 'consent' && isLater && places === step.workspaceTotal && places > 0
  return reachOf(app.interface, step.membership.organizationName, isAll ? null : places)
}

interface Bounded {
  end: AccessEnd
  /** null: the heading says it. */
  forWhom: Phrase | null
  /** Until the admin chooses others; null: not offered. */
  forMe: string | null
  undo: string
}

/** For whom, how long, and how to stop it. */
export const boundsOf = (
  { text }: Pick<InteractionVisit, 'text'>,
  { end, ...bounds }: Bounded,
) => ({ ...bounds, ends: endWords(text, end) ?? text.decision.noEnd })

export const showInstall = (visit: InteractionVisit, step: InstallStep, fault?: FormFault) => {
  const { renderer, request, reply, text, app, now } = visit
  const { membership, openidScopes } = step
  const isLegacy = app.interface === 'legacy'
  const all = { ticked: fault !== 'workspace_missing' }
  const options = workspaceOptions(step.workspaces, fault)
  const workspaces = isLegacy ? null : workspaceChoice(text, { all, options })
  const context = contextOf(visit, text.titles.install, fault, true)
  return renderer.page(request, reply, 'install', context, {
    ...decisionOf(visit, step, reachIn(visit, step, null, false), fault),
    step: step.kind,
    heading: text.install.heading(app.name, membership.organizationName),
    lead: text.install.lead,
    approve: text.install.approve,
    undo: text.decision.undoAdmin,
    undoUrl: `/organizations/${membership.organizationId}/apps`,
    bounds: boundsOf(visit, {
      end: endOfNewInstall(membership, now()),
      forWhom: text.decision.forEveryone(membership.organizationName),
      forMe: text.decision.forMe,
      undo: text.decision.undoAdmin,
    }),
    workspaces,
    identity: identityWords(text, openidScopes),
  })
}

/** Asks a member to install the app for themselves. What it may do in detail is on the next page, the consent. */
export const showSelfInstall = (visit: InteractionVisit, step: SelfInstallStep) => {
  const { renderer, request, reply, text, app, now } = visit
  const { organizationName: name } = step.membership
  const words = text.selfInstall
  const count = step.workspaces.filter(({ isMember }) => isMember).length
  const reach = reachOf(app.interface, name, count)
  const offer = { api: app.interface, permissions: step.offered, reach }
  return renderer.page(request, reply, 'install', contextOf(visit, words.title), {
    ...organizationFrameOf(visit, step),
    step: step.kind,
    heading: words.heading(app.name),
    summary: summaryOf(visit, offer),
    bounds: boundsOf(visit, {
      end: endOfNewInstall(step.membership, now()),
      ...{ forWhom: words.only(name), forMe: null },
      undo: text.decision.undoMember,
    }),
    sentenceUrl: null,
    lead: words.lead(name),
    approve: words.approve,
    undo: text.decision.undoMember,
    undoUrl: '/account/apps',
    permissionGroups: null,
    ...{ mayUntick: false, lockedHint: null, workspaces: null, identity: null, error: null },
  })
}

/** @param resources data APIs; without a name, the platform's own */
const apisOf = ({ formats, consent }: Text, resources: readonly { name: string | null }[]) =>
  consent.apis(formats.list.all([...new Set(resources.map(({ name }) => name ?? consent.ownApi))]))

/** An app may ask for more than the install allows, for example when one of its tools needs it (RFC 6750 §3.1). */
const withheldOf = (visit: InteractionVisit, { withheld, membership }: ConsentStep) => {
  const { consent, formats } = visit.text
  const sentences = withheld.map((one) => permissionSentence(visit, one))
  return sentences.length === 0
    ? null
    : consent.withheld(membership.organizationName, formats.list.all(sentences))
}

/** A list that the user can shorten, and a box for workspaces joined later. */
const workspacesOf = (visit: InteractionVisit, step: ConsentStep, fault?: FormFault) =>
  workspaceChoice(visit.text, {
    all: null,
    options: workspaceOptions(step.workspaces, fault),
    total: step.workspaceTotal,
    later: visit.pending.workspaceIds === null ? { ticked: tickedIn(visit, fault).later } : null,
  })

export const consentPage = (visit: InteractionVisit, step: ConsentStep, fault?: FormFault) => {
  const { text, app, pending, now } = visit
  const { membership, before, resources } = step
  const reach = reachIn(visit, step, step.workspaces.length, pending.workspaceIds === null)
  const { approvedBy, createdAt, self } = membership.install
  const workspaces = app.interface === 'current' ? workspacesOf(visit, step, fault) : null
  const context = contextOf(visit, text.titles.consent, fault, true)
  const own = {
    ...decisionOf(visit, step, reach, fault),
    /** The data APIs that the app asks for; null: the default one. */
    apis: resources && apisOf(text, resources),
    withheld: withheldOf(visit, step),
    bounds: boundsOf(visit, {
      end: endOfConsent(membership, before !== null, now()),
      ...{ forWhom: null, forMe: null },
      undo: text.decision.undoMember,
    }),
    workspaces,
    approval: approvedBy && !self ? { by: approvedBy, on: momentOf(text, createdAt) } : null,
  }
  return [context, own] as const
}

export const showConsent = (visit: InteractionVisit, step: ConsentStep, fault?: FormFault) =>
  visit.renderer.page(visit.request, visit.reply, 'consent', ...consentPage(visit, step, fault))

/** The sentences for the boxes that the address says are ticked. */
export const sayTicked = (visit: InteractionVisit, step: ConsentStep | InstallStep): Phrase[] => {
  const { permissions, places, isLater } = tickedInAddress(visit.request)
  const reach = reachIn(visit, step, places, isLater)
  return sentencesOf(visit, visit.app, { offered: step.offered, permissions, reach })
}
