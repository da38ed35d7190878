import type { CreatedWebhookSecretJson, DeliveryJson } from '../http/operator/webhook-deliveries.ts'
import type { CreatedWebhookJson, WebhookJson } from '../http/operator/webhooks.ts'
import type { Action, Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import type { Option } from './option.ts'
import { type Column, listed, moment, printDone, printList, printOne, shown } from './output.ts'
import { printSecret } from './secrets.ts'
import { note } from './terminal.ts'

const shortColumns: Column<WebhookJson>[] = [
  ['id', (webhook) => webhook.id],
  ['url', (webhook) => webhook.url],
  ['app', (webhook) => shown(webhook.client_id)],
  ['events', (webhook) => (webhook.events ? listed(webhook.events) : 'all')],
  ['disabled', (webhook) => webhook.disabled_reason ?? 'no'],
]

const allColumns: Column<WebhookJson>[] = [
  ...shortColumns,
  ['description', (webhook) => shown(webhook.description)],
  ['active secrets', (webhook) => listed(webhook.secrets.map(({ hint }) => hint))],
  ['created', (webhook) => moment(webhook.created_at)],
]

const deliveryColumns: Column<DeliveryJson>[] = [
  ['id', (delivery) => delivery.id],
  ['event', (delivery) => delivery.event],
  ['outcome', (delivery) => delivery.outcome],
  ['answer', (delivery) => shown(delivery.status?.toString() ?? delivery.error)],
  ['attempts', (delivery) => String(delivery.attempts)],
  ['happened', (delivery) => moment(delivery.created_at)],
  ['next attempt', (delivery) => moment(delivery.next_attempt_at)],
]

const settings: Record<string, Option> = {
  url: { value: 'url', help: 'the https address that receives events' },
  events: { value: 'all|a,b', multiple: true, help: 'event types (default: all)' },
  description: { value: 'text', help: 'the purpose of the webhook' },
}

/** The given settings under their names in the Operator API. */
const settingsIn = (input: Input) => {
  const events = input.words('events')
  const given = {
    url: input.text('url'),
    events: events?.includes('all') ? null : events,
    description: input.text('description'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const one = ['webhook-id']
const pathOf = (input: Input) => `/webhooks/${pathSegment(input.argument('webhook-id'))}`

const create = operatorAction({
  name: 'create',
  summary: 'Create a webhook.',
  options: {
    ...settings,
    app: { value: 'client-id', help: 'only events of this app (default: all events)' },
  },
  notes: [
    'The signing secret is printed to stdout, once.',
    '',
    'Example: latchkey webhook create --url https://reports.example.com/hooks --app app…',
  ],
  run: async (api, input, terminal) => {
    input.required('url')
    const client = input.text('app')
    const body = { ...settingsIn(input), ...(client !== undefined && { client_id: client }) }
    const made = await api.call<CreatedWebhookJson>('POST', '/webhooks', body)
    printOne(terminal, input, [...allColumns, ['secret', () => made.secret]], made)
    note(terminal, 'Keep the secret now: it is not shown again.')
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the webhooks.',
  run: async (api, input, terminal) =>
    printList(terminal, input, shortColumns, await api.list<WebhookJson>('/webhooks')),
})

const show = operatorAction({
  name: 'show',
  summary: 'Show a webhook.',
  positionals: one,
  run: async (api, input, terminal) =>
    printOne(terminal, input, allColumns, await api.call<WebhookJson>('GET', pathOf(input))),
})

const update = operatorAction({
  name: 'update',
  summary: 'Change a webhook.',
  positionals: one,
  options: settings,
  run: async (api, input, terminal) => {
    const patch = settingsIn(input)
    if (Object.keys(patch).length === 0) throw usageError('there is nothing to change')
    const webhook = await api.call<WebhookJson>('PATCH', pathOf(input), patch)
    printOne(terminal, input, allColumns, webhook)
  },
})

const switchTo = (name: string, disabled: boolean, summary: string): Action =>
  operatorAction({
    name,
    summary,
    positionals: one,
    run: async (api, input, terminal) => {
      const webhook = await api.call<WebhookJson>('PATCH', pathOf(input), { disabled })
      printOne(terminal, input, allColumns, webhook)
    },
  })

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a webhook; pending messages are dropped.',
  positionals: one,
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Deleted.')
  },
})

const rotate = operatorAction({
  name: 'rotate',
  summary: 'Create a new signing secret; older ones expire at once or after a while.',
  positionals: one,
  options: {
    'retire-others-after': {
      value: 'seconds',
      help: 'time until older secrets expire (default: 0)',
    },
  },
  notes: [
    'The new secret is printed to stdout, once. At most two are active at a time; messages are signed with both.',
  ],
  run: async (api, input, terminal) => {
    const body = { retire_others_after_seconds: input.number('retire-others-after') ?? 0 }
    const made = await api.call<CreatedWebhookSecretJson>('POST', `${pathOf(input)}/secrets`, body)
    printSecret(terminal, input, made, made.secret)
  },
})

const test = operatorAction({
  name: 'test',
  summary: 'Send a test event.',
  positionals: one,
  notes: ['latchkey webhook deliveries <webhook-id> shows whether it arrived.'],
  run: async (api, input, terminal) => {
    const sent = await api.call<DeliveryJson>('POST', `${pathOf(input)}/test`, {})
    printOne(terminal, input, deliveryColumns, sent)
  },
})

const deliveries = operatorAction({
  name: 'deliveries',
  summary: 'List recent and pending messages, newest first.',
  positionals: one,
  options: { limit: { value: 'number', help: 'at most this many (default: 50)' } },
  run: async (api, input, terminal) => {
    const path = `${pathOf(input)}/deliveries`
    const items = await api.list<DeliveryJson>(path, {}, input.number('limit') ?? 50)
    printList(terminal, input, deliveryColumns, items)
  },
})

const resend = operatorAction({
  name: 'resend',
  summary: 'Send a recent message again, under the same id.',
  positionals: ['webhook-id', 'delivery-id'],
  run: async (api, input, terminal) => {
    const path = `${pathOf(input)}/deliveries/${pathSegment(input.argument('delivery-id'))}/resend`
    const sent = await api.call<DeliveryJson>('POST', path, {})
    printOne(terminal, input, deliveryColumns, sent)
  },
})

export const webhook: Command = {
  name: 'webhook',
  summary: 'webhooks that send events to apps or to your own endpoints',
  actions: [
    create,
    list,
    show,
    update,
    switchTo('disable', true, 'Disable a webhook; pending messages are dropped.'),
    switchTo('enable', false, 'Enable a webhook; it sends events from now on.'),
    remove,
    rotate,
    test,
    deliveries,
    resend,
  ],
}
