import type { FastifyInstance, FastifyReply } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { Conflict, NotFound } from '../../core/language/service-errors.ts'
import type { Delivery } from '../../core/webhooks/deliveries.ts'
import type { Webhook } from '../../core/webhooks/webhooks.ts'
import type { Text } from '../../words/text.ts'
import { createTabbedPages } from '../account/tabs.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { addressOf, firstPart, readPart } from '../rendering/long-list.ts'
import { momentOf } from '../rendering/render.ts'
import type { PageServices } from '../sign-in/services.ts'
import { type WebhookVisit, webhookGate } from './gate.ts'

export const webhookPath = '/developer/apps/:client_id/webhooks/:webhook_id'

const deliveriesOfPage = 25

const stateOf = ({ developer }: Text, { disabledReason }: Webhook) => ({
  words: developer.webhooks.states[disabledReason ?? 'active'],
  isActive: disabledReason === null,
})

export const webhookItem = (text: Text, webhook: Webhook, base: string) => {
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

const deliveryItem = (text: Text, delivery: Delivery, isActive: boolean) => {
  const words = text.developer.webhooks.page
  const { id, type, outcome, attempts, nextAttemptAt } = delivery
  return {
    id,
    event: type,
    at: momentOf(text, delivery.createdAt, 'moment'),
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

/** The page of one webhook: its settings, its deliveries, and what an owner does at once. */
export const developerWebhooks = (scope: FastifyInstance, deps: PageServices) => {
  const { appWebhooks, recentSignIn } = deps
  const showPage = createTabbedPages(deps)
  const withWebhook = webhookGate(deps)

  const show = async (visit: WebhookVisit) => {
    const { request, text, owned, webhook, base, at } = visit
    const words = text.developer.webhooks
    const part = readPart(request)
    const page = { limit: deliveriesOfPage, after: part.after }
    const { items, next } = await appWebhooks.deliveries(webhook, page)
    const state = stateOf(text, webhook)
    return showPage(visit, 'developer', 'developer-webhook', {
      title: words.page.title,
      notice: doneNotice(request, words.done, ['disabled', 'waits', 'outdated']),
      name: owned.app.name,
      url: webhook.url,
      description: webhook.description,
      events: webhook.events ?? [words.allEvents],
      isEveryEvent: webhook.events === null,
      state,
      mayEnable: webhook.disabledReason !== null && webhook.disabledReason !== 'operator',
      hints: webhook.secrets.map(({ hint }) => hint),
      at,
      deliveries: items.map((one) => deliveryItem(text, one, state.isActive)),
      olderUrl: next && addressOf(at, { ...firstPart, after: next }),
      backUrl: base,
    })
  }

  /** Leads back to the page of the webhook, also after a conflict. */
  const answered =
    (done: string, work: (visit: WebhookVisit) => Promise<unknown>) =>
    async (visit: WebhookVisit): Promise<FastifyReply> => {
      try {
        await work(visit)
        return leave(visit, visit.at, done)
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
        return leave(visit, visit.at, error.reason === 'delivery_waits' ? 'waits' : 'disabled')
      }
    }

  const test = ({ webhook, cause }: WebhookVisit) => appWebhooks.test(webhook, cause)

  const resend = ({ request, webhook, cause }: WebhookVisit) => {
    const delivery = field(request, 'delivery_id')
    if (!isIdShaped(delivery)) throw new NotFound('message')
    return appWebhooks.resend(webhook, delivery, cause)
  }

  const enable = ({ webhook, cause }: WebhookVisit) => appWebhooks.enable(webhook, cause)

  scope.get(webhookPath, withWebhook(show))
  scope.post(`${webhookPath}/test`, withWebhook(answered('tested', test)))
  scope.post(`${webhookPath}/resend`, withWebhook(answered('resent', resend)))
  scope.post(
    `${webhookPath}/enable`,
    withWebhook(async (visit) =>
      recentSignIn.isRecent(visit.session)
        ? answered('enabled', enable)(visit)
        : recentSignIn.askAgain(visit.reply, visit.at),
    ),
  )
}
