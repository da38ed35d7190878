import type { FastifyInstance } from 'fastify'
import type { DeliveryJson } from '../../../http/operator/webhooks/deliveries.ts'
import type { WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
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
} from '../../rendering/forms/blocks.ts'
import { readPart } from '../../rendering/long-list.ts'
import { showConsole } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { readWebhook, webhookPath, webhooksUrl, webhookUrl } from './path.ts'

const itemsOfPage = '25'

const stateOf = ({ text }: OperatorVisit, { disabled }: WebhookJson) =>
  disabled ? marked(text.operator.states.disabled) : plain(text.operator.states.active)

/** Webhooks and their deliveries. */
export const operatorWebhooks = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
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
        ...links(may('webhooks:write') && [webhooks.create, `${webhooksUrl}/new`, true]),
        table({
          columns: [columns.address, columns.app, columns.created, columns.state],
          rows: items.map((hook) => [
            linked(hook.url, webhookUrl(hook.id)),
            plain(hook.client_id ?? webhooks.everyApp),
            timed(text, hook.created_at),
            stateOf(visit, hook),
          ]),
          empty: webhooks.empty,
          list: listLinks(webhooksUrl, part, next),
        }),
      ],
    })
  }

  const show = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { webhooks, columns } = text.operator
    const { outcomes, change, rotate, resend, secrets } = text.developer.webhooks.page
    const { item: hook } = await readWebhook(visit)
    const [base, mayChange] = [webhookUrl(hook.id), may('webhooks:write')]
    const maySend = mayChange && !hook.disabled
    const resendCell = ({ id, outcome }: DeliveryJson) =>
      outcome === 'waiting'
        ? plain(text.form.none)
        : linked(resend, `${base}/deliveries/${id}/resend`)
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
          [columns.description, plain(hook.description ?? text.form.none)],
          [columns.events, hook.events ? codes(text, hook.events) : plain(webhooks.everyEvent)],
          [
            secrets,
            codes(
              text,
              hook.secrets.map(({ hint }) => hint),
            ),
          ],
        ]),
        ...links(
          mayChange && [change, `${base}/change`],
          mayChange && [rotate, `${base}/rotate`],
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
            ...(maySend ? [columns.action] : []),
          ],
          rows: deliveries.items.map((sent) => [
            code(sent.event),
            timed(text, sent.created_at),
            plain(sent.attempts),
            timed(text, sent.last_attempt_at),
            plain([outcomes[sent.outcome], sent.status ?? sent.error].filter(Boolean).join(', ')),
            ...(maySend ? [resendCell(sent)] : []),
          ]),
          empty: webhooks.noDeliveries,
          list: listLinks(base, part, deliveries.next),
        }),
      ],
      back: { label: webhooks.heading, href: webhooksUrl },
    })
  }

  scope.get(webhooksUrl, asOperator({ permission: 'webhooks:read' }, list))
  scope.get(webhookPath, asOperator({ permission: 'webhooks:read' }, show))
}
