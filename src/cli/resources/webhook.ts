import type {
  CreatedWebhookJson,
  CreatedWebhookSecretJson,
  DeliveryJson,
  WebhookJson,
} from '../../http/operator/webhooks/webhooks.ts'
import { apiAction, inColumns, listing, secretIn, withSecret } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, listed, moment, shown } from '../output.ts'
import { resource } from '../resource.ts'
import { required, retireOthers, text, wordsOrAll } from '../setting.ts'

const shortColumns: Column<WebhookJson>[] = [
  ...columnsOf<WebhookJson>('id', 'url', ['client_id', 'app']),
  ['events', (webhook) => (webhook.events ? listed(webhook.events) : 'all')],
  ['disabled', (webhook) => webhook.disabled_reason ?? 'no'],
]

const allColumns: Column<WebhookJson>[] = [
  ...shortColumns,
  ...columnsOf<WebhookJson>('description'),
  ['active secrets', (webhook) => listed(webhook.secrets.map(({ hint }) => hint))],
  ['created', (webhook) => moment(webhook.created_at)],
]

const deliveryColumns: Column<DeliveryJson>[] = [
  ...columnsOf<DeliveryJson>('id', 'event', 'outcome'),
  ['answer', (delivery) => shown(delivery.status?.toString() ?? delivery.error)],
  ...columnsOf<DeliveryJson>('attempts', ['created_at', 'happened'], 'next_attempt_at'),
]

const settings = {
  url: text('url <url>', 'the https address that receives events'),
  events: wordsOrAll('events <all|a,b>', 'event types (default: all)'),
  description: text('description <text>', 'the purpose of the webhook'),
}

const { create, list, show, update, switches, remove } = resource(
  '/webhooks/{webhook-id}',
  allColumns,
  shortColumns,
)

export const webhook: Command = {
  name: 'webhook',
  summary: 'webhooks that send events to apps or to your own endpoints',
  actions: [
    create('Create a webhook.', {
      settings: {
        ...settings,
        url: required(settings.url),
        client_id: text('app <client-id>', 'only events of this app (default: all events)'),
      },
      notes: [
        'The signing secret is printed to stdout, once.',
        '',
        'Example: latchkey webhook create --url https://reports.example.com/hooks --app app…',
      ],
      print: withSecret<CreatedWebhookJson>([...allColumns, ['secret', ({ secret }) => secret]]),
    }),
    list('List the webhooks.'),
    show('Show a webhook.'),
    update('Change a webhook.', settings),
    ...switches('disabled', {
      disable: 'Disable a webhook; pending messages are dropped.',
      enable: 'Enable a webhook; it sends events from now on.',
    }),
    remove('Delete a webhook; pending messages are dropped.'),
    apiAction('rotate', 'POST /webhooks/{webhook-id}/secrets', {
      summary: 'Create a new signing secret; older ones expire at once or after a while.',
      settings: retireOthers,
      notes: [
        'The new secret is printed to stdout, once. At most two are active at a time; messages are signed with both.',
      ],
      print: secretIn<CreatedWebhookSecretJson>(({ secret }) => secret),
    }),
    apiAction('test', 'POST /webhooks/{webhook-id}/test', {
      summary: 'Send a test event.',
      body: {},
      notes: ['latchkey webhook deliveries <webhook-id> shows whether it arrived.'],
      print: inColumns(deliveryColumns),
    }),
    listing('deliveries', '/webhooks/{webhook-id}/deliveries', {
      summary: 'List recent and pending messages, newest first.',
      columns: deliveryColumns,
      options: { limit: { value: 'number', help: 'at most this many (default: 50)' } },
      limit: (input) => input.number('limit') ?? 50,
    }),
    apiAction('resend', 'POST /webhooks/{webhook-id}/deliveries/{delivery-id}/resend', {
      summary: 'Send a recent message again, under the same id.',
      body: {},
      print: inColumns(deliveryColumns),
    }),
  ],
}
