import type { WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'

export const webhooksUrl = tabUrl('webhooks')
export const webhookPath = `${webhooksUrl}/:webhook_id`
export const webhookUrl = (id: string) => `${webhooksUrl}/${id}`

/** @throws NotFound */
export const readWebhook = ({ api, request }: OperatorVisit) =>
  api.readVersion<WebhookJson>(`/webhooks/${parameter(request, 'webhook_id')}`)
