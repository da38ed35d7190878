import type { FastifyInstance } from 'fastify'
import { type DeveloperAppsDependencies, developerApps } from './developer-apps.ts'
import { type DeveloperSecretDependencies, developerSecret } from './developer-secret.ts'

export type DeveloperPagesDependencies = DeveloperAppsDependencies & DeveloperSecretDependencies

/** The pages for owners of apps: their apps, and the replacement of a secret. */
export const developerPages = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  developerApps(scope, deps)
  developerSecret(scope, deps)
}
