// What the pages of an authorization request share. step-pages.ts and decision-pages.ts have the pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Membership } from '../../core/authorization/consent-steps.ts'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { requestingAppCard, returnsTo } from '../rendering/app-card.ts'
import type { Renderer } from '../rendering/render.ts'
import { shownCodeOf, startOf } from './device.ts'

export interface StepPagesDependencies {
  renderer: Renderer
  catalogue: PermissionCatalogue
  origin: string
  /** The server sends mails. */
  mails: boolean
  /** Milliseconds since 1970. */
  now(): number
}

/** One visit to a page of an authorization request, with what the pages need. */
export interface InteractionVisit extends StepPagesDependencies {
  request: FastifyRequest
  reply: FastifyReply
  text: Text
  pending: AuthorizationRequest
  app: App
  session: Session
}

/** The fault of the last form, shown beside its fields. */
export type FormFault = 'choice_missing' | 'workspace_missing' | 'outdated'

export const organizationOf = ({ organizationId, organizationName }: Membership) => ({
  id: organizationId,
  name: organizationName,
})

/** The next place for the user. */
const returnsOf = (text: Text, { device, installLink, redirectUri }: AuthorizationRequest) => {
  if (device) return [text.device.returns]
  return installLink && redirectUri === '' ? [text.installLink.stays] : returnsTo(text, redirectUri)
}

/** Label of the button that ends the request when nothing can be allowed. */
const backOf = ({ text, app, pending }: InteractionVisit) => {
  const { device, installLink, redirectUri } = pending
  if (device) return [text.consent.deny]
  return installLink && redirectUri === '' ? [text.installLink.back] : text.decision.back(app.name)
}

/** Values of every page of a request. */
export const frameOf = (visit: InteractionVisit) => {
  const { pending, app, text, now } = visit
  return {
    app: requestingAppCard(app, pending),
    deviceCode: shownCodeOf(pending.device),
    returns: returnsOf(text, pending),
    back: backOf(visit),
    deviceStart: pending.device ? startOf(text, pending.device, now()) : null,
    action: `/interaction/${pending.id}`,
    returnTo: `/interaction/${pending.id}`,
  }
}

/** Values of every page for one organization. */
export const organizationFrameOf = (
  visit: InteractionVisit,
  step: { membership: Membership; canSwitch: boolean },
) => ({
  ...frameOf(visit),
  organization: organizationOf(step.membership),
  switchUrl: step.canSwitch ? `/interaction/${visit.pending.id}?choose=1` : null,
})

/** Title, session and status of a page. A form with a fault is answered with 400. */
export const contextOf = (
  { session, pending }: InteractionVisit,
  title: string,
  fault?: FormFault,
  withScript = false,
) => ({
  session,
  title,
  leadsToApp: !pending.device,
  withScript,
  ...(fault && { status: 400 }),
})
