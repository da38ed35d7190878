import type { FastifyInstance } from 'fastify'
import { type DeviceDependencies, device } from './device.ts'
import { type InstallLinkDependencies, installLink } from './install-link.ts'
import { interaction } from './interaction.ts'
import type { StepAnswersDependencies } from './step-answers.ts'

export type AuthorizationPagesDependencies = StepAnswersDependencies &
  DeviceDependencies &
  InstallLinkDependencies

/** The steps between an app's request and its answer, and the page that takes the code of a device. */
export const authorizationPages = (
  scope: FastifyInstance,
  deps: AuthorizationPagesDependencies,
) => {
  interaction(scope, deps)
  device(scope, deps)
  installLink(scope, deps)
}
