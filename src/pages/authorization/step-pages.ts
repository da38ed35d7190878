import type { FastifyReply } from 'fastify'
import type { Step } from '../../core/authorization/consent-steps.ts'
import { textOf } from '../rendering/reader-text.ts'
import { askAdminPage } from './ask-admin-page.ts'
import { blockedPage } from './blocked-page.ts'
import { chooseOrganizationPage } from './choose-organization-page.ts'
import { consentPage } from './consent-page.ts'
import { installPage } from './install-page.ts'
import { installedPage } from './installed-page.ts'
import type { FormFault, StepPagesDependencies } from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

export interface StepPages {
  show(visit: InteractionVisit, step: Step, fault?: FormFault): Promise<FastifyReply>
}

/** Renders one page for each step that needs the user. */
export const createStepPages = (deps: StepPagesDependencies): StepPages => {
  const chooseOrganization = chooseOrganizationPage(deps)
  const install = installPage(deps)
  const askAdmin = askAdminPage(deps)
  const consent = consentPage(deps)
  const installed = installedPage(deps)
  const blocked = blockedPage(deps)

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
          return installed(visit, step)
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
