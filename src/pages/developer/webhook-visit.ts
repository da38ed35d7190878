// What the pages of an app's webhooks share.
import type { FastifyReply } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { OneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import type { AppWebhooks, ShownWebhookSecret } from '../../core/webhooks/app-webhooks.ts'
import type { Webhook } from '../../core/webhooks/webhooks.ts'
import type { DeveloperFormDependencies } from './form.ts'
import { createDeveloperGate, type DeveloperGateDependencies, type OwnerVisit } from './gate.ts'

export interface DeveloperWebhooksDependencies
  extends DeveloperFormDependencies,
    Omit<DeveloperGateDependencies, 'appOwners'> {
  appOwners: DeveloperGateDependencies['appOwners'] & DeveloperFormDependencies['appOwners']
  appWebhooks: AppWebhooks
  oneTimeWebhookSecrets: OneTimeSecrets<ShownWebhookSecret>
}

/** A visit to a page of one webhook. */
export interface WebhookVisit extends OwnerVisit {
  webhook: Webhook
  /** The path of the webhook's page. */
  at: string
}

export const webhookPath = '/developer/apps/:client_id/webhooks/:webhook_id'

/** Guards of the pages below. A webhook of another app is the same 404 as an unknown one. */
export const webhookGate = (deps: DeveloperWebhooksDependencies) => {
  const { appWebhooks } = deps
  const asOwner = createDeveloperGate(deps)

  const withWebhook = (work: (visit: WebhookVisit) => Promise<FastifyReply>) =>
    asOwner(async (visit) => {
      const { webhook_id: id } = visit.request.params as { webhook_id: string }
      if (!isIdShaped(id)) throw new NotFound('webhook')
      const webhook = await appWebhooks.read(visit.owned.app.clientId, id)
      return work({ ...visit, webhook, at: `${visit.base}/webhooks/${id}` })
    })

  return { asOwner, withWebhook }
}
