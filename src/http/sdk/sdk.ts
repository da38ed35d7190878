// Serves the web-app SDK. The SDK itself is in packages/sdk and runs in browsers.
import type { FastifyInstance } from 'fastify'
import { publicError, sendOAuthError } from '../oauth/oauth-errors.ts'
import { type ConfigurationDependencies, configuration } from './configuration.ts'
import { scripts } from './scripts.ts'

/** The scripts for framed apps and for platform pages, and the configuration that the scripts load first. */
export const sdk = (deps: ConfigurationDependencies) => async (scope: FastifyInstance) => {
  scope.setErrorHandler((error, request, reply) =>
    sendOAuthError(request, reply, publicError(error)),
  )
  scripts(scope)
  configuration(scope, deps)
}
