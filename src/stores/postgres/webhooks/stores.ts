import type { Database } from '../connection/database.ts'
import { createWebhookOutbox } from './webhook-outbox.ts'
import { createWebhookStore } from './webhooks.ts'

export const webhookStores = (database: Database) => ({
  webhookOutbox: createWebhookOutbox(database),
  webhooks: createWebhookStore(database),
})
