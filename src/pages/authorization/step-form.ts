// What the form of a step says, whatever the step is now.
import type { FastifyRequest } from 'fastify'
import type { Step } from '../../core/authorization/consent-steps.ts'
import type { AuthorizationAnswer } from '../../core/authorization/requests.ts'
import { field, plainText } from '../rendering/forms/sent-values.ts'

/** What the user has decided: every approval is one button. */
type Decided = Exclude<AuthorizationAnswer['kind'], 'installed'>

const kindOf: Record<string, Decided> = { approve: 'approved', deny: 'refused' }

export const decisionIn = (request: FastifyRequest): Decided | undefined =>
  kindOf[field(request, 'decision')]

export const decidedBy = ({ kind }: AuthorizationAnswer): Decided =>
  kind === 'refused' ? kind : 'approved'

/** A member's words for the admins; null: none. */
export const reasonIn = (request: FastifyRequest): string | null =>
  plainText(field(request, 'reason'), 500) || null

/** True when the form belongs to another step: an earlier click or another tab has moved on. */
export const isOtherStep = ({ request }: { request: FastifyRequest }, step: Step) =>
  !['', step.kind].includes(field(request, 'step'))

/** True when the form belongs to another organization that another tab has replaced. */
export const isOtherOrganization = ({ request }: { request: FastifyRequest }, step: Step) => {
  const current = 'membership' in step ? step.membership.organizationId : ''
  return !['', current].includes(field(request, 'organization_id'))
}
