import type { FastifyInstance } from 'fastify'
import { type DeveloperAppsDependencies, developerApps } from './developer-apps.ts'
import { type DeveloperChangeDependencies, developerChange } from './developer-change.ts'
import { type DeveloperDeletionDependencies, developerDeletion } from './developer-deletion.ts'
import { type DeveloperRequestsDependencies, developerRequests } from './developer-requests.ts'
import { developerSandbox } from './developer-sandbox.ts'
import { type DeveloperSecretDependencies, developerSecret } from './developer-secret.ts'
import {
  type DeveloperTestPeopleDependencies,
  developerTestPeople,
} from './developer-test-people.ts'
import { developerWebhookForms } from './developer-webhook-forms.ts'
import { developerWebhooks } from './developer-webhooks.ts'
import type { DeveloperWebhooksDependencies } from './webhook-visit.ts'

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
