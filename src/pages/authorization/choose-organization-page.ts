import type { Step } from '../../core/authorization/consent-steps.ts'
import { textOf } from '../rendering/reader-text.ts'
import {
  contextOf,
  type FormFault,
  frameOf,
  organizationOf,
  type StepPagesDependencies,
} from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

/** Asks in which organization the user wants to use the app. */
export const chooseOrganizationPage =
  ({ renderer, now }: StepPagesDependencies) =>
  (visit: InteractionVisit, step: Step & { kind: 'choose_organization' }, fault?: FormFault) => {
    const text = textOf(visit.request)
    return renderer.page(
      visit.request,
      visit.reply,
      'choose-organization',
      contextOf(visit, text.titles.chooseOrganization, fault),
      {
        ...frameOf(visit, now),
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
