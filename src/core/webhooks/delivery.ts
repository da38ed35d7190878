import { type AuditEvent, byServer } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { webhookEvent } from './deliveries.ts'
import { createRounds, type DeliveryOptions, type Outbox } from './rounds.ts'
import {
  type Attempt,
  type MessageState,
  type Schedule,
  stateAfter,
  usualSchedule,
} from './schedule.ts'
import { openSecrets, signedHeaders } from './signature.ts'

import type { DisabledReason } from './webhooks.ts'

/** A due message that this instance has claimed. */
export interface DueMessage {
  webhookId: string
  /** The webhook's app; null: a webhook of the operator. */
  clientId: string | null
  url: string
  /** Active secrets, sealed. */
  secrets: { id: string; sealed: Buffer }[]
  id: string
  type: string
  data: Record<string, unknown>
  createdAt: Date
  /** Includes this one. An instance with a lower number has lost its claim. */
  attempts: number
  /** Seconds since the event. */
  age: number
}

/** The store's data when it gives up a message, read under the webhook's lock. */
export interface AbandonedMessage {
  /** Set when the webhook is disabled by this failure. */
  disabled: DisabledReason | null
  /** Number of undelivered events per organization (null: none). */
  untold: readonly { organizationId: string | null; count: number }[]
}

/** Queue of messages. */
export interface WebhookOutbox extends Outbox<DueMessage> {
  /**
   * Claims a due message of the webhook for `lease` seconds: the oldest of the organization after `organization`, or of
   * the first one. So organizations take turns.
   * @returns no message when another instance holds it; null when none is due
   */
  claim(
    webhookId: string,
    organization: string,
    lease: number,
  ): Promise<{ organization: string; message: DueMessage | null } | null>
  delivered(message: DueMessage, attempt: Attempt): Promise<void>
  /** @param after seconds */
  retry(message: DueMessage, attempt: Attempt, after: number): Promise<void>
  /**
   * Gives up the message. Disables the webhook, and gives up all its messages, when its endpoint is gone or nothing
   * was delivered since the event.
   */
  giveUp(
    message: DueMessage,
    attempt: Attempt,
    isGone: boolean,
    eventsOf: EventsFrom<AbandonedMessage>,
  ): Promise<void>
}

export interface WebhookDeliveryOptions extends DeliveryOptions {
  outbox: WebhookOutbox
  /** 0 to 1. */
  random(): number
  onAttempt(message: DueMessage, attempt: Attempt, state: MessageState): void
  schedule?: Schedule
}

/** The audit events of a failure: one for each organization. A webhook of the operator concerns no organization. */
const eventsOf =
  ({ webhookId, clientId }: DueMessage) =>
  ({ disabled, untold }: AbandonedMessage): AuditEvent[] => {
    const webhook = { id: webhookId, clientId }
    const lines =
      clientId === null
        ? [{ organizationId: null, count: untold.reduce((sum, { count }) => sum + count, 0) }]
        : untold
    return [
      ...(disabled
        ? [webhookEvent(byServer, 'webhook.disabled', webhook, { reason: disabled })]
        : []),
      ...lines.map(({ organizationId, count }) => ({
        ...webhookEvent(byServer, 'webhook.given_up', webhook, { undelivered: count }),
        organizationId,
      })),
    ]
  }

/**
 * Sends the messages of the outbox in the background, a few at once. Any number of instances share the work. When an
 * instance is killed, another one sends its messages again under the same id.
 */
export const createWebhookDelivery = (options: WebhookDeliveryOptions) => {
  const { outbox, keyring, send, now, random, schedule = usualSchedule, lease = 60 } = options
  /** The organization whose message was sent last, by webhook. */
  const organizations = new Map<string, string>()

  const requestOf = (message: DueMessage) => {
    const { id, type, data, createdAt } = message
    const timestamp = Math.floor(now() / 1000)
    const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
    const headers = signedHeaders({ id, timestamp, body }, openSecrets(keyring, message.secrets))
    return { url: message.url, body, headers: { 'content-type': 'application/json', ...headers } }
  }

  const attemptOf = async (message: DueMessage, ending: AbortSignal): Promise<Attempt> => {
    let request: ReturnType<typeof requestOf>
    try {
      request = requestOf(message)
    } catch {
      return { kind: 'failed', fault: 'secret_unreadable' }
    }
    return send(request, ending)
  }

  const write = (message: DueMessage, attempt: Attempt, state: MessageState) => {
    if (state === 'delivered') return outbox.delivered(message, attempt)
    if (state === 'gone' || state === 'given_up')
      return outbox.giveUp(message, attempt, state === 'gone', eventsOf(message))
    return outbox.retry(message, attempt, state.retryIn)
  }

  return createRounds<DueMessage>({
    ...options,

    claim: async (webhookId) => {
      const taken = await outbox.claim(webhookId, organizations.get(webhookId) ?? '', lease)
      if (taken === null) organizations.delete(webhookId)
      else organizations.set(webhookId, taken.organization)
      return taken?.message ?? null
    },

    attempt: async (message, ending) => {
      const attempt = await attemptOf(message, ending)
      if (attempt.kind === 'failed' && ending.aborted) {
        await outbox.release(message)
        return null
      }
      const state = stateAfter(attempt, message, schedule, random())
      await write(message, attempt, state)
      options.onAttempt(message, attempt, state)
      return state === 'delivered' ? 'accepted' : 'failed'
    },
  })
}
