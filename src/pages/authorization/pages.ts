import type { FastifyInstance } from 'fastify'
import type { PageServices } from '../sign-in/services.ts'
import { device } from './device.ts'
import { installLink } from './install-link.ts'
import { interaction } from './interaction.ts'

/** The steps between an app's request and its answer, and the page that takes the code of a device. */
export const authorizationPages = (scope: FastifyInstance, deps: PageServices) => {
  interaction(scope, deps)
  device(scope, deps)
  installLink(scope, deps)
}
