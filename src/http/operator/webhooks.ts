import { type Static, Type } from 'typebox'
import { longestUri } from '../../core/clients/link.ts'
import { webhookEventTypes } from '../../core/webhooks/events.ts'
import type { DisabledReason, Webhook, Webhooks } from '../../core/webhooks/webhooks.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import {
  changes,
  closed,
  description,
  id,
  nullable,
  otherClientId,
  pathIds,
  timestamp,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const url = Type.String({
  minLength: 1,
  maxLength: longestUri,
  'x-reason': 'webhook_url',
  description: 'https and a public address, unless the server allows private addresses.',
})

const eventType = Type.Unsafe<string>({
  type: 'string',
  enum: [...webhookEventTypes],
  'x-reason': 'event_type',
})

const events = nullable(
  Type.Array(eventType, {
    minItems: 1,
    maxItems: 100,
    description: 'Event types to send; null: all, including future ones.',
  }),
)

const options = { events: Type.Optional(events), description: Type.Optional(description) }

const newWebhook = closed({
  url,
  client_id: Type.Optional(
    nullable({
      ...otherClientId,
      description: 'Send only events of this app; null: all events.',
    }),
  ),
  ...options,
})

const webhookPatch = changes({ url, ...options, disabled: Type.Boolean() })

export const webhookSecretFields = {
  id,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: timestamp,
  expires_at: nullable(timestamp),
}
const webhookSecret = Type.Object(webhookSecretFields)

const webhookFields = {
  id,
  url: Type.String(),
  client_id: nullable(id),
  events: nullable(Type.Array(Type.String())),
  description: nullable(Type.String()),
  disabled: Type.Boolean(),
  disabled_reason: Type.Unsafe<DisabledReason | null>({
    type: ['string', 'null'],
    enum: ['operator', 'gone', 'failing', null],
    description: 'gone: the endpoint answered 410. failing: no delivery succeeded for three days.',
  }),
  secrets: Type.Array(webhookSecret, {
    description: 'Active secrets. Messages are signed with each.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
}

export const webhookSchema = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'An endpoint that receives events (Standard Webhooks).',
})
export type WebhookJson = Static<typeof webhookSchema>

export const createdWebhookSchema = Type.Object(
  { ...webhookFields, secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'CreatedWebhook', description: 'A webhook and its first secret.' },
)
export type CreatedWebhookJson = Static<typeof createdWebhookSchema>

export const webhookSecretJson = jsonOf(webhookSecret)

const write = jsonOf(webhookSchema)
const webhookJson = (webhook: Webhook) =>
  write({
    ...webhook,
    disabled: webhook.disabledReason !== null,
    secrets: webhook.secrets.map(webhookSecretJson),
  })

const tagOf = (webhook: Webhook) => etagOf(webhookJson(webhook))

const tag = 'webhooks'
const params = pathIds('webhook_id')
const answer = { status: 200, description: 'The webhook.', schema: reference('Webhook') } as const

const create = operation(
  {
    id: 'createWebhook',
    tag,
    permission: 'webhooks:write',
    summary: 'Create a webhook',
    description:
      'Sends the events of one app or all events. Messages are signed and delivered at least once.',
    answer: {
      status: 201,
      description: 'The webhook and its secret.',
      schema: reference('CreatedWebhook'),
    },
  },
  { body: newWebhook },
)

const list = operation(
  {
    id: 'listWebhooks',
    tag,
    permission: 'webhooks:read',
    summary: 'List webhooks',
    answer: { status: 200, description: 'Webhooks.', schema: pageOf(reference('Webhook')) },
  },
  { querystring: pageQuery },
)

const read = operation(
  {
    id: 'readWebhook',
    tag,
    permission: 'webhooks:read',
    summary: 'Read a webhook',
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeWebhook',
    conditional: true,
    tag,
    permission: 'webhooks:write',
    summary: 'Change, disable or enable a webhook',
    description:
      'Disabling drops pending messages. Events that happen while it is disabled are never sent.',
    answer,
    refusals: [404],
  },
  { params, body: webhookPatch },
)

const remove = operation(
  {
    id: 'deleteWebhook',
    conditional: true,
    tag,
    permission: 'webhooks:write',
    summary: 'Delete a webhook; pending messages are dropped',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

/** Webhooks. */
export const webhookRoutes = (scope: OperatorScope, webhooks: Webhooks) => {
  scope.post('/webhooks', create, async (request, reply) => {
    const { webhook, secret } = await webhooks.create(fieldsOf(request.body), causeOf(request))
    reply.code(201).header('location', `${scope.prefix}/webhooks/${webhook.id}`)
    return { ...webhookJson(webhook), secret }
  })

  scope.get('/webhooks', list, async ({ query }) =>
    pageJson(await webhooks.list(readPage(query)), webhookJson),
  )

  scope.get('/webhooks/:webhook_id', read, async ({ params }) =>
    webhookJson(await webhooks.read(params.webhook_id)),
  )

  scope.patch('/webhooks/:webhook_id', change, async (request) => {
    const { params, body } = request
    const precondition = preconditionOf(request, tagOf)
    const cause = causeOf(request)
    return webhookJson(await webhooks.change(params.webhook_id, body, cause, precondition))
  })

  scope.delete('/webhooks/:webhook_id', remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await webhooks.remove(request.params.webhook_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
