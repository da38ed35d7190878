import type { Membership, WorkspaceSummary } from '../../core/authorization/consent-steps.ts'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { Text } from '../../words/text.ts'
import { requestingAppCard, returnsTo } from '../rendering/app-card.ts'
import { field, fields } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { shownCodeOf, startOf } from './device.ts'
import type { InteractionVisit } from './visit.ts'

// What the pages of an authorization request share. Each page has a file of its own: choose-organization-page.ts,
// install-page.ts, consent-page.ts, ask-admin-page.ts, installed-page.ts and blocked-page.ts. step-pages.ts chooses.

export interface StepPagesDependencies {
  renderer: Renderer
  catalogue: PermissionCatalogue
  origin: string
  /** The server sends mails. */
  mails: boolean
  /** Milliseconds since 1970. */
  now(): number
}

/** The fault of the last form, shown beside its fields. */
export type FormFault = 'choice_missing' | 'workspace_missing' | 'outdated'

export const organizationOf = (membership: Membership) => ({
  id: membership.organizationId,
  name: membership.organizationName,
})

/** The boxes of a form. Keeps what the user unticked, unless that was the fault. */
export const workspaceOptions = (workspaces: WorkspaceSummary[], fault?: FormFault) =>
  workspaces.map(({ id, name }) => ({ id, name, ticked: fault !== 'workspace_missing' }))

/** The permissions that the user ticked in a form with a fault. */
export const permissionsTicked = (visit: InteractionVisit, fault?: FormFault) =>
  fault && fields(visit.request, 'permissions')

/** The box for workspaces that the user joins later. Ticked, unless the user unticked it. */
export const laterTicked = (visit: InteractionVisit, fault?: FormFault) =>
  !fault || field(visit.request, 'later_workspaces') !== ''

export const faultWords = (text: Text, fault?: FormFault) => {
  if (fault === 'outdated') return text.organization.outdated
  return fault ? text.workspaces.chooseOne : null
}

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

const switchUrlOf = ({ pending }: InteractionVisit, canSwitch: boolean) =>
  canSwitch ? `/interaction/${pending.id}?choose=1` : null

/** Values of every page of a request. */
export const frameOf = (visit: InteractionVisit, now: () => number) => {
  const { pending, app } = visit
  const text = textOf(visit.request)
  return {
    app: requestingAppCard(app, pending),
    deviceCode: shownCodeOf(pending.device),
    returns: returnsOf(text, pending),
    back: backOf(text, pending, app),
    deviceStart: pending.device ? startOf(text, pending.device, now()) : null,
    action: `/interaction/${pending.id}`,
    returnTo: `/interaction/${pending.id}`,
  }
}

/** Values of every page for one organization. */
export const organizationFrameOf = (
  visit: InteractionVisit,
  step: { membership: Membership; canSwitch: boolean },
  now: () => number,
) => ({
  ...frameOf(visit, now),
  organization: organizationOf(step.membership),
  switchUrl: switchUrlOf(visit, step.canSwitch),
})

/** Title, session and status of a page. A form with a fault is answered with 400. */
export const contextOf = (visit: InteractionVisit, title: string, fault?: FormFault) => ({
  session: visit.session,
  title,
  redirectUri: visit.pending.redirectUri,
  ...(fault && { status: 400 }),
})
