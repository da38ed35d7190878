import type { FastifyInstance } from 'fastify'
import { type DeveloperAppsDependencies, developerApps } from './developer-apps.ts'
import { type DeveloperDeletionDependencies, developerDeletion } from './developer-deletion.ts'
import { type DeveloperSecretDependencies, developerSecret } from './developer-secret.ts'

export type DeveloperPagesDependencies = DeveloperAppsDependencies &
  DeveloperSecretDependencies &
  DeveloperDeletionDependencies

/** The pages for owners of apps: their apps, and the replacement and deletion of a secret. */
export const developerPages = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  developerApps(scope, deps)
  developerSecret(scope, deps)
  developerDeletion(scope, deps)
}
