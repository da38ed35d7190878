import { type Static, Type } from 'typebox'
import { webhookEventTypes } from '../../../core/webhooks/events.ts'
import type { Webhook, Webhooks } from '../../../core/webhooks/webhooks.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const url = api.uri(
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
  url,
  ...api.optional({
    client_id: api.nullable({
      ...api.otherClientId,
      description: 'Send only events of this app; null: all events.',
    }),
    ...options,
  }),
})

const webhookPatch = api.changes({ url, ...options, disabled: Type.Boolean() })

/** The use of a signing secret is not recorded. */
const { last_used_at: _, ...webhookSecretFields } = api.secretFields
export const webhookSecret = Type.Object(webhookSecretFields)

const webhookFields = {
  id: api.id,
  url: Type.String(),
  client_id: api.nullable(api.id),
  events: api.nullable(Type.Array(Type.String())),
  description: api.nullable(Type.String()),
  disabled: Type.Boolean(),
  disabled_reason: api.oneOfOrNull(['operator', 'gone', 'failing'], {
    description: 'gone: the endpoint answered 410. failing: no delivery succeeded for three days.',
  }),
  secrets: Type.Array(webhookSecret, {
    description: 'Active secrets. Messages are signed with each.',
  }),
  created_at: api.timestamp,
  updated_at: api.timestamp,
}

const webhookSchema = api.component(
  'Webhook',
  'An endpoint that receives events (Standard Webhooks).',
  webhookFields,
)
export type WebhookJson = Static<typeof webhookSchema>

const createdWebhookSchema = api.component('CreatedWebhook', 'A webhook and its first secret.', {
  ...webhookFields,
  secret: api.shownOnce,
})
export type CreatedWebhookJson = Static<typeof createdWebhookSchema>

export const webhookSecretJson = jsonOf(webhookSecret)

const write = jsonOf(webhookSchema)
const webhookJson = (webhook: Webhook) =>
  write({
    ...webhook,
    disabled: webhook.disabledReason !== null,
    secrets: webhook.secrets.map(webhookSecretJson),
  })

const on = operations({
  tag: 'webhooks',
  area: 'webhooks',
  schema: webhookSchema,
  one: 'The webhook.',
  page: 'Webhooks.',
})
const params = api.pathIds('webhook_id')

const create = on.create('createWebhook', 'Create a webhook', {
  description:
    'Sends the events of one app or all events. Messages are signed and delivered at least once.',
  answer: { description: 'The webhook and its secret.', schema: createdWebhookSchema },
  body: newWebhook,
})

const list = on.list('listWebhooks', 'List webhooks', {
  querystring: listQuery(['url'], {
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    disabled: Type.Boolean(),
  }),
})

const read = on.read('readWebhook', 'Read a webhook', { params })

const change = on.change('changeWebhook', 'Change, disable or enable a webhook', {
  description:
    'Disabling drops pending messages. Events that happen while it is disabled are never sent.',
  params,
  body: webhookPatch,
})

const remove = on.remove('deleteWebhook', 'Delete a webhook; pending messages are dropped', {
  params,
})

/** Webhooks. */
export const webhookRoutes = (scope: Scope, { webhooks }: { webhooks: Webhooks }) => {
  scope.post('/webhooks', create, async (request, reply) => {
    const { webhook, secret } = await webhooks.create(fieldsOf(request.body), causeOf(request))
    reply.header('location', `${scope.prefix}/webhooks/${webhook.id}`)
    return { ...webhookJson(webhook), secret }
  })

  scope.get('/webhooks', list, async ({ query }) =>
    pageJson(await webhooks.list(readPage(query)), webhookJson),
  )

  scope.get('/webhooks/:webhook_id', read, async ({ params }) =>
    webhookJson(await webhooks.read(params.webhook_id)),
  )

  scope.patch('/webhooks/:webhook_id', change, async (request) => {
    const context = changeOf(request, webhookJson)
    return webhookJson(await webhooks.change(request.params.webhook_id, request.body, ...context))
  })

  scope.delete('/webhooks/:webhook_id', remove, async (request) => {
    await webhooks.remove(request.params.webhook_id, ...changeOf(request, webhookJson))
  })
}
