import type { FastifyInstance } from 'fastify'
import { readPart } from '../rendering/long-list.ts'
import {
  code,
  codes,
  facts,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
} from './blocks.ts'
import { confirmPage, doneAt, formPage } from './console-form.ts'
import { showConsole, tabUrl } from './console-page.ts'
import {
  createOperatorGate,
  type OperatorPagesDependencies,
  type OperatorVisit,
} from './operator-gate.ts'
import { parameter } from './parameter.ts'

interface WebhookJson {
  id: string
  url: string
  client_id: string | null
  events: string[] | null
  description: string | null
  disabled: boolean
  created_at: string
}

interface DeliveryJson {
  id: string
  event: string
  outcome: 'delivered' | 'waiting' | 'given_up'
  attempts: number
  created_at: string
  last_attempt_at: string | null
  status: number | null
  error: string | null
}

const path = tabUrl('webhooks')
const one = `${path}/:webhook_id`
const webhookUrl = (id: string) => `${path}/${id}`
const itemsOfPage = '25'

const readWebhook = ({ api, request }: OperatorVisit) =>
  api.readVersion<WebhookJson>(`/webhooks/${parameter(request, 'webhook_id')}`)

const stateOf = ({ text }: OperatorVisit, { disabled }: WebhookJson) =>
  disabled ? marked(text.operator.states.disabled) : plain(text.operator.states.active)

const lists = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const list = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { webhooks, columns } = text.operator
    const part = { ...readPart(request), name: '' }
    const query = { limit: itemsOfPage, cursor: part.after }
    const { items, next } = await api.list<WebhookJson>('/webhooks', query)
    return showConsole(deps.renderer, visit, {
      tab: 'webhooks',
      heading: webhooks.heading,
      blocks: [
        ...links(may('webhooks:write') && [webhooks.create, `${path}/new`, true]),
        table({
          columns: [columns.address, columns.app, columns.created, columns.state],
          rows: items.map((hook) => [
            linked(hook.url, webhookUrl(hook.id)),
            plain(hook.client_id ?? webhooks.everyApp),
            timed(text, hook.created_at),
            stateOf(visit, hook),
          ]),
          empty: webhooks.empty,
          list: listLinks(path, part, next),
        }),
      ],
    })
  }

  const show = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { webhooks, columns } = text.operator
    const { outcomes } = text.developer.webhooks.page
    const { item: hook } = await readWebhook(visit)
    const [base, mayChange] = [webhookUrl(hook.id), may('webhooks:write')]
    const part = { ...readPart(request), name: '' }
    const deliveries = await api.list<DeliveryJson>(`/webhooks/${hook.id}/deliveries`, {
      limit: itemsOfPage,
      cursor: part.after,
    })
    return showConsole(deps.renderer, visit, {
      tab: 'webhooks',
      heading: webhooks.one,
      subject: hook.url,
      blocks: [
        facts(null, [
          [columns.id, code(hook.id)],
          [columns.state, stateOf(visit, hook)],
          [columns.app, plain(hook.client_id ?? webhooks.everyApp)],
          [columns.description, plain(hook.description ?? text.operator.none)],
          [columns.events, hook.events ? codes(text, hook.events) : plain(webhooks.everyEvent)],
        ]),
        ...links(
          mayChange && !hook.disabled && [webhooks.test, `${base}/test`],
          mayChange &&
            (hook.disabled
              ? [webhooks.enable, `${base}/enable`]
              : [webhooks.disable, `${base}/disable`]),
          mayChange && [webhooks.remove, `${base}/delete`],
        ),
        table({
          id: 'deliveries',
          heading: webhooks.deliveries,
          columns: [
            columns.event,
            columns.created,
            columns.attempts,
            columns.lastUsed,
            columns.outcome,
          ],
          rows: deliveries.items.map((sent) => [
            code(sent.event),
            timed(text, sent.created_at),
            plain(sent.attempts),
            timed(text, sent.last_attempt_at),
            plain([outcomes[sent.outcome], sent.status ?? sent.error].filter(Boolean).join(', ')),
          ]),
          empty: webhooks.noDeliveries,
          list: listLinks(base, part, deliveries.next),
        }),
      ],
      back: { label: webhooks.heading, href: path },
    })
  }

  scope.get(path, asOperator({ permission: 'webhooks:read' }, list))
  scope.get(one, asOperator({ permission: 'webhooks:read' }, show))
}

const creation = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${path}/new`, 'webhooks:write', (visit) => {
    const { createWebhook, fields } = visit.text.operator.forms
    return {
      tab: 'webhooks',
      ...createWebhook,
      fields: [
        {
          name: 'url',
          kind: 'text',
          label: fields.webhookUrl,
          hint: fields.webhookUrlHint,
          isRequired: true,
          isCode: true,
          fault: visit.text.developer.webhooks.form.faults.url,
        },
        { name: 'client_id', kind: 'text', label: fields.onlyApp, whenEmpty: null, isCode: true },
        {
          name: 'events',
          kind: 'area',
          label: fields.events,
          hint: fields.eventsHint,
          isCode: true,
          fault: visit.text.operator.faults.events,
        },
        { name: 'description', kind: 'text', label: fields.description, whenEmpty: null },
      ],
      cancelUrl: path,
      call: ({ events, ...body }) => ({
        method: 'POST',
        path: '/webhooks',
        body: { ...body, events: Array.isArray(events) && events.length > 0 ? events : null },
      }),
      secretOf: (made: WebhookJson & { secret: string }) => ({
        name: made.url,
        idLabel: 'webhook',
        id: made.id,
        secret: made.secret,
        backUrl: webhookUrl(made.id),
      }),
      done: doneAt(visit, path, 'created'),
    }
  })

const actions = {
  test: { words: 'testWebhook', method: 'POST', at: '/test', body: {}, done: 'sent' },
  disable: {
    words: 'disableWebhook',
    method: 'PATCH',
    at: '',
    body: { disabled: true },
    done: 'saved',
  },
  enable: {
    words: 'enableWebhook',
    method: 'PATCH',
    at: '',
    body: { disabled: false },
    done: 'saved',
  },
  delete: { words: 'deleteWebhook', method: 'DELETE', at: '', body: undefined, done: 'deleted' },
} as const

/** Webhooks, their deliveries and test messages. */
export const operatorWebhooks = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  lists(scope, deps)
  creation(scope, deps)
  for (const [name, { words, method, at, body, done }] of Object.entries(actions))
    confirmPage(scope, deps, `${one}/${name}`, 'webhooks:write', async (visit) => {
      const { item } = await readWebhook(visit)
      return {
        tab: 'webhooks',
        words: visit.text.operator.forms[words],
        subject: item.url,
        isHarmless: name === 'test' || name === 'enable',
        cancelUrl: webhookUrl(item.id),
        call: () => ({ method, path: `/webhooks/${item.id}${at}`, body }),
        done: doneAt(visit, name === 'delete' ? path : webhookUrl(item.id), done),
      }
    })
}
