// The messages of one webhook, as its operators and owners see them.
import { auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { newId } from '../crypto/identifiers.ts'
import type { EventType } from '../language/event-types.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Conflict, found } from '../language/service-errors.ts'
import type { SendFault } from './schedule.ts'

/** The part of a webhook that decides about its messages. */
interface Subscription {
  id: string
  clientId: string | null
  /** null: it is enabled */
  disabledReason: string | null
}

export const outcomes = ['waiting', 'delivered', 'given_up'] as const

/** A message to one webhook, and its result. */
export interface Delivery {
  id: string
  type: string
  outcome: (typeof outcomes)[number]
  attempts: number
  createdAt: Date
  lastAttemptAt: Date | null
  /** Status of the last response; null: there was none. */
  lastStatus: number | null
  /** Why there was no response. */
  lastError: SendFault | null
  nextAttemptAt: Date | null
}

export interface DeliveryStore {
  /** Newest first. @returns null when the webhook does not exist */
  deliveries(id: string, page: PageRequest): Promise<Page<Delivery> | null>
  /** Locks the webhook, calls `admit`, which may throw, and adds a test message without data. */
  addTest(id: string, messageId: string, admit: EventsFrom<Subscription>): Promise<Delivery | null>
  /**
   * Locks the webhook, calls `admit`, which may throw, and makes a message due that does not wait.
   * @returns null when the webhook or the message does not exist, or the message waits
   */
  resend(
    id: string,
    messageId: string,
    admit: EventsFrom<Subscription>,
  ): Promise<Delivery | 'waiting' | null>
}

const assertEnabled = ({ disabledReason }: Subscription) => {
  if (disabledReason !== null) throw new Conflict('webhook_disabled', 'the webhook is disabled')
}

export const webhookEvent = (
  cause: Cause,
  type: EventType,
  { id, clientId }: Pick<Subscription, 'id' | 'clientId'>,
  detail: Record<string, unknown> = {},
) => auditEvent(cause, type, { clientId, detail: { webhook_id: id, ...detail } })

export const createDeliveries = (store: DeliveryStore) => ({
  /** Recent and waiting messages, newest first. @throws NotFound */
  deliveries: async (id: string, page: PageRequest): Promise<Page<Delivery>> =>
    found(await store.deliveries(id, page), 'webhook'),

  /** Sends a test message without data. @throws NotFound, Conflict webhook_disabled */
  test: async (id: string, cause: Cause): Promise<Delivery> => {
    const delivery = await store.addTest(id, newId('webhookMessage'), (webhook) => {
      assertEnabled(webhook)
      return [webhookEvent(cause, 'webhook.tested', webhook)]
    })
    return found(delivery, 'webhook')
  },

  /**
   * Sends a recent message again, under the same id, at once and by the usual schedule.
   * @throws NotFound, Conflict webhook_disabled, delivery_waits
   */
  resend: async (id: string, messageId: string, cause: Cause): Promise<Delivery> => {
    const delivery = await store.resend(id, messageId, (webhook) => {
      assertEnabled(webhook)
      return [webhookEvent(cause, 'webhook.resent', webhook, { message_id: messageId })]
    })
    if (delivery === 'waiting')
      throw new Conflict('delivery_waits', 'the message waits, and is sent without this')
    return found(delivery, 'message')
  },
})
