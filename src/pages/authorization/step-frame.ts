// What the pages of an authorization request share. step-pages.ts and decision-pages.ts have the pages.
import type { Membership } from '../../core/authorization/consent-steps.ts'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import type { Text } from '../../words/text.ts'
import { requestingAppCard, returnsTo } from '../rendering/app-card.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { shownCodeOf, startOf } from './device.ts'

export interface InteractionVisit extends PageServices, UserVisit {
  catalogue: PageServices['catalogue']
  pending: AuthorizationRequest
  app: App
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
