import type { FastifyInstance } from 'fastify'
import { type DeveloperAppsDependencies, developerApps } from './apps.ts'
import { type DeveloperChangeDependencies, developerChange } from './change.ts'
import { type DeveloperDeletionDependencies, developerDeletion } from './deletion.ts'
import { type DeveloperRequestsDependencies, developerRequests } from './requests.ts'
import { developerSandbox } from './sandbox.ts'
import { type DeveloperSecretDependencies, developerSecret } from './secret.ts'
import { type DeveloperTestPeopleDependencies, developerTestPeople } from './test-people.ts'
import { developerWebhookForms } from './webhook-forms.ts'
import type { DeveloperWebhooksDependencies } from './webhook-visit.ts'
import { developerWebhooks } from './webhooks.ts'

export type DeveloperPagesDependencies = DeveloperAppsDependencies &
  DeveloperChangeDependencies &
  DeveloperRequestsDependencies &
  DeveloperTestPeopleDependencies &
  DeveloperWebhooksDependencies &
  DeveloperSecretDependencies &
  DeveloperDeletionDependencies

/** The pages for owners of apps: their apps, changes, secrets, webhooks and refused requests, and a sandbox. */
export const developerPages = (scope: FastifyInstance, deps: DeveloperPagesDependencies) => {
  developerApps(scope, deps)
  developerSecret(scope, deps)
  developerDeletion(scope, deps)
  developerChange(scope, deps)
  developerWebhooks(scope, deps)
  developerWebhookForms(scope, deps)
  developerRequests(scope, deps)
  developerSandbox(scope, deps)
  developerTestPeople(scope, deps)
}
