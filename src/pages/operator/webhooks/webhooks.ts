import type { AuditStreamJson } from '../../../http/operator/webhooks/audit-streams.ts'
import type { DeliveryJson, WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import {
  code,
  codes,
  copied,
  facts,
  linked,
  links,
  marked,
  timed,
} from '../../rendering/forms/blocks.ts'
import type { PartOfPage } from '../../rendering/forms/blocks-page.ts'
import { choiceOf } from '../../rendering/long-list.ts'
import { streamState } from '../../rendering/stream-state.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable, whether } from '../list-table.ts'
import type { Tab } from '../tab.ts'

export const webhooksUrl = tabUrl('webhooks')
const streamsUrl = `${webhooksUrl}/streams`
export const webhookPath = `${webhooksUrl}/:webhook_id`
export const webhookUrl = (id: string) => `${webhooksUrl}/${id}`

/** @throws NotFound */
export const readWebhook = async ({ api, parameter }: OperatorVisit) => {
  const read = await api.readVersion<WebhookJson>(`/webhooks/${parameter('webhook_id')}`)
  return { ...read, url: webhookUrl(read.item.id), subject: read.item.url }
}

const stateOf = ({ text }: OperatorVisit, { disabled }: WebhookJson) =>
  disabled ? marked(text.operator.states.disabled) : text.operator.states.active

const appOf = ({ text }: OperatorVisit, { client_id: id }: WebhookJson) =>
  id === null ? text.operator.webhooks.everyApp : copied(id)

const list = async (visit: OperatorVisit): Promise<PartOfPage> => {
  const { text, may } = visit
  const { webhooks, columns, states } = text.operator
  return {
    heading: webhooks.heading,
    blocks: [
      ...links(
        may('webhooks:write') && [webhooks.create, `${webhooksUrl}/new`, true],
        may('audit:read') && [text.activity.streams.heading, streamsUrl],
      ),
      await listTable<WebhookJson>(visit, {
        from: '/webhooks',
        url: webhooksUrl,
        find: columns.address,
        choices: [whether(visit, 'disabled', columns.state, [states.disabled, states.active])],
        columns: [
          [columns.address, (hook) => linked(hook.url, webhookUrl(hook.id)), 'url'],
          [columns.app, (hook) => appOf(visit, hook)],
          [columns.created, (hook) => timed(text, hook.created_at), 'created_at'],
          [columns.state, (hook) => stateOf(visit, hook)],
        ],
        empty: webhooks.empty,
      }),
    ],
  }
}

const settingsOf = (visit: OperatorVisit, hook: WebhookJson) => {
  const { text } = visit
  const { webhooks, columns } = text.operator
  const hints = hook.secrets.map(({ hint }) => hint)
  return facts(null, [
    [columns.id, copied(hook.id)],
    [columns.state, stateOf(visit, hook)],
    [columns.app, appOf(visit, hook)],
    [columns.description, hook.description ?? text.form.none],
    [columns.events, hook.events ? codes(text, hook.events) : webhooks.everyEvent],
    [text.developer.webhooks.page.secrets, codes(text, hints)],
  ])
}

const deliveriesTable = (visit: OperatorVisit, hook: WebhookJson, at: string, url: string) => {
  const { text, may } = visit
  const { webhooks, columns } = text.operator
  const { outcomes, resend } = text.developer.webhooks.page
  const outcomeOf = ({ outcome, status, error }: DeliveryJson) =>
    [outcomes[outcome], status ?? error].filter(Boolean).join(', ')
  const resendCell = ({ id, outcome }: DeliveryJson) =>
    outcome === 'waiting' ? text.form.none : linked(resend, `${url}/deliveries/${id}/resend`)
  return listTable<DeliveryJson>(visit, {
    from: `${at}/deliveries`,
    url,
    id: 'deliveries',
    heading: webhooks.deliveries,
    usual: '-created_at',
    choices: [choiceOf('outcome', columns.outcome, outcomes)],
    columns: [
      [columns.event, (sent) => code(sent.event)],
      [columns.created, (sent) => timed(text, sent.created_at), 'created_at'],
      [columns.attempts, (sent) => sent.attempts],
      [columns.lastUsed, (sent) => timed(text, sent.last_attempt_at)],
      [columns.outcome, outcomeOf],
      may('webhooks:write') && !hook.disabled && [columns.action, resendCell],
    ],
    empty: webhooks.noDeliveries,
  })
}

const show = async (visit: OperatorVisit): Promise<PartOfPage> => {
  const { webhooks } = visit.text.operator
  const { change, rotate } = visit.text.developer.webhooks.page
  const { item: hook, at, url } = await readWebhook(visit)
  const mayChange = visit.may('webhooks:write')
  return {
    heading: webhooks.one,
    subject: hook.url,
    blocks: [
      settingsOf(visit, hook),
      ...links(
        mayChange && [change, `${url}/change`],
        mayChange && [rotate, `${url}/rotate`],
        mayChange && !hook.disabled && [webhooks.test, `${url}/test`],
        mayChange &&
          (hook.disabled
            ? [webhooks.enable, `${url}/enable`]
            : [webhooks.disable, `${url}/disable`]),
        mayChange && [webhooks.remove, `${url}/delete`],
      ),
      await deliveriesTable(visit, hook, at, url),
    ],
    back: { label: webhooks.heading, href: webhooksUrl },
  }
}

const streams = async (visit: OperatorVisit): Promise<PartOfPage> => {
  const { text } = visit
  const { webhooks, columns } = text.operator
  const words = text.activity.streams
  const list = await listTable<AuditStreamJson>(visit, {
    ...{ from: '/audit-streams', url: streamsUrl, empty: words.none },
    columns: [
      [columns.id, ({ id }) => copied(id)],
      [columns.address, ({ url }) => code(url)],
      [columns.organization, ({ organization_id: id }) => (id ? copied(id) : null)],
      [words.format, ({ format }) => words.formats[format]],
      [
        columns.state,
        ({ behind, last_error: lastError }) => streamState(text, { behind, lastError }),
      ],
      [words.lastSuccess, ({ last_success_at: at }) => timed(text, at)],
    ],
  })
  const back = { label: webhooks.heading, href: webhooksUrl }
  return { heading: words.heading, blocks: [list], back }
}

/** Webhooks, their deliveries, and receivers of the audit trail. */
export const operatorWebhooks = ({ page }: Tab) => {
  page(webhooksUrl, 'webhooks:read', list)
  page(streamsUrl, 'audit:read', streams)
  page(webhookPath, 'webhooks:read', show)
}
