import type { Step } from '../../core/authorization/consent-steps.ts'
import { contextOf, organizationFrameOf, type StepPagesDependencies } from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

/** This user cannot continue in this organization. */
export const blockedPage =
  ({ renderer, now }: StepPagesDependencies) =>
  (
    visit: InteractionVisit,
    step: Step & { kind: 'suspended' | 'out_of_reach' | 'ask_admin' },
    words: { heading: string; message: string; move: string },
  ) =>
    renderer.page(
      visit.request,
      visit.reply,
      'blocked',
      { ...contextOf(visit, words.heading), status: 403 },
      { ...organizationFrameOf(visit, step, now), ...words },
    )
