import type { FastifyInstance } from 'fastify'
import { withUploads } from '../rendering/forms/uploads.ts'
import type { PageServices } from '../sign-in/services.ts'
import { developerApps } from './apps.ts'
import { developerChange } from './change.ts'
import { developerRequests } from './requests.ts'
import { developerSandbox } from './sandbox.ts'
import { developerSecrets } from './secrets.ts'
import { developerWebhookForms } from './webhook-forms.ts'
import { developerWebhooks } from './webhooks.ts'

/** The pages for owners of apps: their apps, changes, secrets, webhooks and refused requests, and a sandbox. */
export const developerPages = (scope: FastifyInstance, deps: PageServices) => {
  developerApps(scope, deps)
  developerSecrets(scope, deps)
  withUploads(scope, deps.browser, (inner) => developerChange(inner, deps))
  developerWebhooks(scope, deps)
  developerWebhookForms(scope, deps)
  developerRequests(scope, deps)
  developerSandbox(scope, deps)
}
