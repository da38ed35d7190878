import { type Static, Type } from 'typebox'
import type { Delivery, Webhooks } from '../../core/webhooks/webhooks.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { closed, nullable, pathIds, rotation, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'
import { webhookSecretFields, webhookSecretJson } from './webhooks.ts'

export const createdWebhookSecretSchema = Type.Object(
  { ...webhookSecretFields, secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedWebhookSecret', description: 'A new signing secret.' },
)
export type CreatedWebhookSecretJson = Static<typeof createdWebhookSecretSchema>

export const deliverySchema = Type.Object(
  {
    id: Type.String({ description: 'Sent as `webhook-id` with every attempt.' }),
    event: Type.String(),
    outcome: Type.Unsafe<Delivery['outcome']>({
      type: 'string',
      enum: ['waiting', 'delivered', 'given_up'],
    }),
    attempts: Type.Integer(),
    created_at: timestamp,
    last_attempt_at: nullable(timestamp),
    status: nullable(Type.Integer({ description: 'Status of the last answer.' })),
    error: nullable(Type.String({ description: 'Why there was no answer.' })),
    next_attempt_at: nullable(timestamp),
  },
  { $id: 'WebhookDelivery', description: 'A message to a webhook and its outcome.' },
)
export type DeliveryJson = Static<typeof deliverySchema>

const write = jsonOf(deliverySchema)
const deliveryJson = (delivery: Delivery) =>
  write({
    ...delivery,
    event: delivery.type,
    status: delivery.lastStatus,
    error: delivery.lastError,
  })

const tag = 'webhooks'
const params = pathIds('webhook_id')
const delivery = reference('WebhookDelivery')

const rotate = operation(
  {
    id: 'rotateWebhookSecret',
    tag,
    permission: 'webhooks:write',
    summary: 'Make a new signing secret',
    description: 'At most two secrets are active at once. Messages are signed with both.',
    answer: { status: 201, description: 'The secret.', schema: reference('CreatedWebhookSecret') },
    refusals: [404, 409],
  },
  { params, body: rotation },
)

const list = operation(
  {
    id: 'listWebhookDeliveries',
    tag,
    permission: 'webhooks:read',
    summary: 'List recent and pending messages, newest first',
    description: 'Kept for 30 days.',
    answer: { status: 200, description: 'Deliveries.', schema: pageOf(delivery) },
    refusals: [404],
  },
  { params, querystring: pageQuery },
)

const test = operation(
  {
    id: 'testWebhook',
    tag,
    permission: 'webhooks:write',
    summary: 'Send a `webhook.test` event',
    answer: { status: 201, description: 'The pending message.', schema: delivery },
    refusals: [404, 409],
  },
  { params, body: closed({}) },
)

const resend = operation(
  {
    id: 'resendWebhookDelivery',
    tag,
    permission: 'webhooks:write',
    summary: 'Send a recent message again',
    description:
      'Under the same id, so that a receiver that knows the message ignores it. A message that waits is refused with 409.',
    answer: { status: 200, description: 'The pending message.', schema: delivery },
    refusals: [404, 409],
  },
  { params: pathIds('webhook_id', 'delivery_id'), body: closed({}) },
)

/** Messages to webhooks and their signing secrets. */
export const webhookDeliveryRoutes = (scope: OperatorScope, webhooks: Webhooks) => {
  scope.post('/webhooks/:webhook_id/secrets', rotate, async (request, reply) => {
    const after = request.body.retire_others_after_seconds ?? 0
    const made = await webhooks.rotate(request.params.webhook_id, after, causeOf(request))
    reply.code(201)
    return { ...webhookSecretJson(made), secret: made.secret }
  })

  scope.get('/webhooks/:webhook_id/deliveries', list, async ({ params, query }) =>
    pageJson(await webhooks.deliveries(params.webhook_id, readPage(query)), deliveryJson),
  )

  scope.post('/webhooks/:webhook_id/deliveries/:delivery_id/resend', resend, async (request) => {
    const { webhook_id, delivery_id } = request.params
    return deliveryJson(await webhooks.resend(webhook_id, delivery_id, causeOf(request)))
  })

  scope.post('/webhooks/:webhook_id/test', test, async (request, reply) => {
    const sent = await webhooks.test(request.params.webhook_id, causeOf(request))
    reply.code(201)
    return deliveryJson(sent)
  })
}
