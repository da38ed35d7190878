import { tabUrl } from './console-page.ts'
import type { OperatorVisit } from './operator-gate.ts'
import { parameter } from './parameter.ts'

export interface WebhookJson {
  id: string
  url: string
  client_id: string | null
  events: string[] | null
  description: string | null
  disabled: boolean
  /** Active ones. */
  secrets: { hint: string }[]
  created_at: string
}

export const webhooksUrl = tabUrl('webhooks')
export const webhookPath = `${webhooksUrl}/:webhook_id`
export const webhookUrl = (id: string) => `${webhooksUrl}/${id}`

/** @throws NotFound */
export const readWebhook = ({ api, request }: OperatorVisit) =>
  api.readVersion<WebhookJson>(`/webhooks/${parameter(request, 'webhook_id')}`)
