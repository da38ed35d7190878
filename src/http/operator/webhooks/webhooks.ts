import { type Static, Type } from 'typebox'
import { type Delivery, outcomes } from '../../../core/webhooks/deliveries.ts'
import { webhookEventTypes } from '../../../core/webhooks/events.ts'
import type { Webhook, Webhooks } from '../../../core/webhooks/webhooks.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'

export const receiverUrl = api.uri(
  'webhook_url',
  'https and a public address, unless the server allows private addresses.',
)

const eventType = api.oneOf(webhookEventTypes, { 'x-reason': 'event_type' })

const events = api.nullable(
  Type.Array(eventType, {
    minItems: 1,
    maxItems: 100,
    description: 'Event types to send; null: all, including future ones.',
  }),
)

const options = { events, description: api.description }

const newWebhook = api.closed({
  url: receiverUrl,
  ...api.optional({
    client_id: api.nullable({
      ...api.otherClientId,
      description: 'Send only events of this app; null: all events.',
    }),
    ...options,
    id: api.ownId('auditStream'),
    secret: api.webhookSecret('Absent: the server makes one.'),
  }),
})

const webhookPatch = api.changes({ url: receiverUrl, ...options, disabled: Type.Boolean() })

/** The use of a signing secret is not recorded. */
const { last_used_at: _, ...webhookSecretFields } = api.secretFields
const webhookSecret = Type.Object(webhookSecretFields)

const webhookSchema = api.component(
  'Webhook',
  'An endpoint that receives events (Standard Webhooks).',
  {
    id: api.id,
    url: Type.String(),
    client_id: api.nullable(api.id),
    events: api.nullable(Type.Array(Type.String())),
    description: api.nullable(Type.String()),
    disabled: Type.Boolean(),
    disabled_reason: api.oneOfOrNull(['operator', 'gone', 'failing'], {
      description:
        'gone: the endpoint answered 410. failing: no delivery succeeded for three days.',
    }),
    secrets: Type.Array(webhookSecret, {
      description: 'Active secrets. Messages are signed with each.',
    }),
    created_at: api.timestamp,
    updated_at: api.timestamp,
  },
)
export type WebhookJson = Static<typeof webhookSchema>

const createdWebhookSchema = api.component('CreatedWebhook', 'A webhook and its first secret.', {
  ...webhookSchema.properties,
  secret: api.shownOnce,
})
export type CreatedWebhookJson = Static<typeof createdWebhookSchema>

const webhookSecretJson = jsonOf(webhookSecret)

const writeWebhook = jsonOf(webhookSchema)
const webhookJson = (webhook: Webhook) =>
  writeWebhook({
    ...webhook,
    disabled: webhook.disabledReason !== null,
    secrets: webhook.secrets.map(webhookSecretJson),
  })

const createdWebhookSecretSchema = api.component('CreatedWebhookSecret', 'A new signing secret.', {
  ...webhookSecretFields,
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

const writeDelivery = jsonOf(deliverySchema)
const deliveryJson = (delivery: Delivery) =>
  writeDelivery({
    ...delivery,
    event: delivery.type,
    status: delivery.lastStatus,
    error: delivery.lastError,
  })

export const webhookRoutes = (scope: Scope, { webhooks }: { webhooks: Webhooks }) => {
  const on = operations(scope, {
    area: 'webhooks',
    schema: webhookSchema,
    one: 'The webhook.',
    page: 'Webhooks.',
    json: webhookJson,
    location: ({ id }) => `/webhooks/${id}`,
  })
  const path = '/webhooks/:webhook_id'

  on.create('/webhooks', 'createWebhook', 'Create a webhook', {
    description:
      'Sends the events of one app or all events. Messages are signed and delivered at least once.',
    answer: { description: 'The webhook and its secret.', schema: createdWebhookSchema },
    body: newWebhook,
    run: async ({ body }, cause) => {
      const { webhook, secret } = await webhooks.create(body, cause)
      return { ...webhookJson(webhook), secret }
    },
  })

  on.list('/webhooks', 'listWebhooks', 'List webhooks', {
    querystring: listQuery(['url'], {
      client_id: Type.String({ minLength: 1, maxLength: 500 }),
      disabled: Type.Boolean(),
    }),
    run: (_call, page) => webhooks.list(page),
  })

  on.read(path, 'readWebhook', 'Read a webhook', {
    run: ({ params }) => webhooks.read(params.webhookId),
  })

  on.change(path, 'changeWebhook', 'Change, disable or enable a webhook', {
    description:
      'Disabling drops pending messages. Events that happen while it is disabled are never sent.',
    body: webhookPatch,
    run: ({ params, body }, ...context) => webhooks.change(params.webhookId, body, ...context),
  })

  on.remove(path, 'deleteWebhook', 'Delete a webhook; pending messages are dropped', {
    run: ({ params }, ...context) => webhooks.remove(params.webhookId, ...context),
  })
}

/** Messages to webhooks and their signing secrets. */
export const webhookDeliveryRoutes = (scope: Scope, { webhooks }: { webhooks: Webhooks }) => {
  const on = operations(scope, {
    area: 'webhooks',
    schema: deliverySchema,
    one: 'The pending message.',
    page: 'Deliveries.',
    json: deliveryJson,
  })
  const path = '/webhooks/:webhook_id'
  const messages = `${path}/deliveries` as const

  on.create(`${path}/secrets`, 'rotateWebhookSecret', 'Make a new signing secret', {
    description: 'At most two secrets are active at once. Messages are signed with both.',
    answer: { description: 'The secret.', schema: createdWebhookSecretSchema },
    refusals: [404, 409],
    body: api.rotation,
    run: async ({ params, body: { retireOthersAfterSeconds: after = 0 } }, cause) => {
      const made = await webhooks.rotate(params.webhookId, after, cause)
      return { ...webhookSecretJson(made), secret: made.secret }
    },
  })

  on.list(messages, 'listWebhookDeliveries', 'List recent and pending messages, newest first', {
    description: 'Kept for 30 days.',
    querystring: listQuery(
      [],
      { outcome: api.oneOf(outcomes), event: Type.String({ maxLength: 100 }) },
      '-created_at',
    ),
    run: ({ params }, page) => webhooks.deliveries(params.webhookId, page),
  })

  on.act(
    `${messages}/:delivery_id/resend`,
    'resendWebhookDelivery',
    'Send a recent message again',
    {
      description:
        'Under the same id, so that a receiver that knows the message ignores it. A message that waits is refused with 409.',
      refusals: [404, 409],
      body: api.closed({}),
      run: async ({ params }, cause) =>
        deliveryJson(await webhooks.resend(params.webhookId, params.deliveryId, cause)),
    },
  )

  on.create(`${path}/test`, 'testWebhook', 'Send a `webhook.test` event', {
    refusals: [404, 409],
    body: api.closed({}),
    run: async ({ params }, cause) => deliveryJson(await webhooks.test(params.webhookId, cause)),
  })
}
