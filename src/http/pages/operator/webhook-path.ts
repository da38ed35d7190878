import type { WebhookJson } from '../../operator/webhooks.ts'
import { tabUrl } from './console-page.ts'
import type { OperatorVisit } from './operator-gate.ts'
import { parameter } from './parameter.ts'

export const webhooksUrl = tabUrl('webhooks')
export const webhookPath = `${webhooksUrl}/:webhook_id`
export const webhookUrl = (id: string) => `${webhooksUrl}/${id}`

/** @throws NotFound */
export const readWebhook = ({ api, request }: OperatorVisit) =>
  api.readVersion<WebhookJson>(`/webhooks/${parameter(request, 'webhook_id')}`)
