import type { WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'

export const webhooksUrl = tabUrl('webhooks')
export const webhookPath = `${webhooksUrl}/:webhook_id`
export const webhookUrl = (id: string) => `${webhooksUrl}/${id}`

/** @throws NotFound */
export const readWebhook = async ({ api, parameter }: OperatorVisit) => {
  const read = await api.readVersion<WebhookJson>(`/webhooks/${parameter('webhook_id')}`)
  return { ...read, url: webhookUrl(read.item.id) }
}
