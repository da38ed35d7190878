import { type Static, Type } from 'typebox'
import { type Delivery, outcomes } from '../../../core/webhooks/deliveries.ts'
import type { Webhooks } from '../../../core/webhooks/webhooks.ts'
import { causeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { webhookSecret, webhookSecretJson } from './webhooks.ts'

const createdWebhookSecretSchema = api.component('CreatedWebhookSecret', 'A new signing secret.', {
  ...webhookSecret.properties,
  secret: api.shownOnce,
})
export type CreatedWebhookSecretJson = Static<typeof createdWebhookSecretSchema>

const deliverySchema = api.component('WebhookDelivery', 'A message to a webhook and its outcome.', {
  id: Type.String({ description: 'Sent as `webhook-id` with every attempt.' }),
  event: Type.String(),
  outcome: api.oneOf(outcomes),
  attempts: Type.Integer(),
  created_at: api.timestamp,
  last_attempt_at: api.nullable(api.timestamp),
  status: api.nullable(Type.Integer({ description: 'Status of the last answer.' })),
  error: api.nullable(Type.String({ description: 'Why there was no answer.' })),
  next_attempt_at: api.nullable(api.timestamp),
})
export type DeliveryJson = Static<typeof deliverySchema>

const write = jsonOf(deliverySchema)
const deliveryJson = (delivery: Delivery) =>
  write({
    ...delivery,
    event: delivery.type,
    status: delivery.lastStatus,
    error: delivery.lastError,
  })

const on = operations({
  tag: 'webhooks',
  area: 'webhooks',
  schema: deliverySchema,
  one: 'The pending message.',
  page: 'Deliveries.',
})
const params = api.pathIds('webhook_id')

const rotate = on.create('rotateWebhookSecret', 'Make a new signing secret', {
  description: 'At most two secrets are active at once. Messages are signed with both.',
  answer: { description: 'The secret.', schema: createdWebhookSecretSchema },
  refusals: [404, 409],
  params,
  body: api.rotation,
})

const list = on.list('listWebhookDeliveries', 'List recent and pending messages, newest first', {
  description: 'Kept for 30 days.',
  params,
  querystring: listQuery(
    [],
    { outcome: api.oneOf(outcomes), event: Type.String({ maxLength: 100 }) },
    '-created_at',
  ),
})

const test = on.create('testWebhook', 'Send a `webhook.test` event', {
  refusals: [404, 409],
  params,
  body: api.closed({}),
})

const resend = on.act('resendWebhookDelivery', 'Send a recent message again', {
  description:
    'Under the same id, so that a receiver that knows the message ignores it. A message that waits is refused with 409.',
  refusals: [404, 409],
  params: api.pathIds('webhook_id', 'delivery_id'),
  body: api.closed({}),
})

/** Messages to webhooks and their signing secrets. */
export const webhookDeliveryRoutes = (scope: Scope, { webhooks }: { webhooks: Webhooks }) => {
  scope.post('/webhooks/:webhook_id/secrets', rotate, async (request) => {
    const after = request.body.retire_others_after_seconds ?? 0
    const made = await webhooks.rotate(request.params.webhook_id, after, causeOf(request))
    return { ...webhookSecretJson(made), secret: made.secret }
  })

  scope.get('/webhooks/:webhook_id/deliveries', list, async ({ params, query }) =>
    pageJson(await webhooks.deliveries(params.webhook_id, readPage(query)), deliveryJson),
  )

  scope.post('/webhooks/:webhook_id/deliveries/:delivery_id/resend', resend, async (request) => {
    const { webhook_id, delivery_id } = request.params
    return deliveryJson(await webhooks.resend(webhook_id, delivery_id, causeOf(request)))
  })

  scope.post('/webhooks/:webhook_id/test', test, async (request) => {
    return deliveryJson(await webhooks.test(request.params.webhook_id, causeOf(request)))
  })
}
