// Webhooks and their deliveries as the pages of their owners show them.
import type { Delivery } from '../../core/webhooks/deliveries.ts'
import type { Webhook } from '../../core/webhooks/webhooks.ts'
import type { Text } from '../../words/text.ts'
import type { DeliveryItem, WebhookItem } from '../rendering/view-models/developer.ts'

export const stateOf = ({ developer }: Text, { disabledReason }: Webhook) => ({
  words: developer.webhooks.states[disabledReason ?? 'active'],
  isActive: disabledReason === null,
})

export const webhookItem = (text: Text, webhook: Webhook, base: string): WebhookItem => {
  const { allEvents, someEvents } = text.developer.webhooks
  return {
    url: webhook.url,
    href: `${base}/webhooks/${webhook.id}`,
    description: webhook.description,
    events: webhook.events ? someEvents(webhook.events.length) : allEvents,
    state: stateOf(text, webhook),
  }
}

const answerOf = ({ developer }: Text, { lastStatus, lastError }: Delivery): string | null => {
  const { answer, noAnswer } = developer.webhooks.page
  if (lastStatus !== null) return answer(String(lastStatus))
  return lastError === null ? null : noAnswer(lastError)
}

export const deliveryItem = (text: Text, delivery: Delivery, isActive: boolean): DeliveryItem => {
  const words = text.developer.webhooks.page
  const { id, type, outcome, attempts, nextAttemptAt } = delivery
  return {
    id,
    event: type,
    at: { iso: delivery.createdAt.toISOString(), words: text.formats.moment(delivery.createdAt) },
    outcome: words.outcomes[outcome],
    isGood: outcome === 'delivered',
    details: [
      answerOf(text, delivery),
      attempts === 0 ? null : words.attempts(attempts),
      nextAttemptAt && words.next(text.formats.moment(nextAttemptAt)),
    ].filter((one) => one !== null),
    mayResend: isActive && outcome !== 'waiting',
  }
}
