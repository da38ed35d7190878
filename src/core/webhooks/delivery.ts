import { setMaxListeners } from 'node:events'
import { type AuditEvent, byServer } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { measured } from '../limits/periodically.ts'
import { webhookEvent } from './deliveries.ts'
import {
  type Attempt,
  type MessageState,
  type Schedule,
  stateAfter,
  usualSchedule,
} from './schedule.ts'
import type { SendWebhook } from './sender.ts'
import { openSecrets, signWebhook } from './signature.ts'
import { isFull, nextTurn, type WebhookShare, type WebhookTurn, webhookShares } from './turns.ts'
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

/** Queue of messages. A write under a lost claim does nothing. */
export interface WebhookOutbox {
  /** Some webhooks of this share with due messages: of each owner, the ones that wait longest come first. */
  waiting(share: WebhookShare): Promise<WebhookTurn[]>
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
    eventsOf: (given: AbandonedMessage) => readonly AuditEvent[],
  ): Promise<void>
  /** Undoes the claim: the message is due at once, for any instance. */
  release(message: DueMessage): Promise<void>
  /** @returns the number of due messages, and the seconds that the oldest one is overdue */
  backlog(): Promise<{ waiting: number; overdue: number }>
}

export interface WebhookDeliveryOptions {
  outbox: WebhookOutbox
  keyring: Pick<Keyring, 'open'>
  send: SendWebhook
  /** Milliseconds since 1970. */
  now(): number
  /** 0 to 1. */
  random(): number
  onAttempt(message: DueMessage, attempt: Attempt, state: MessageState): void
  onBacklog(waiting: number, overdue: number): void
  onError(error: unknown): void
  schedule?: Schedule
  /** Milliseconds between two queries for due messages. */
  interval?: number
  /** Seconds; longer than any attempt takes. */
  lease?: number
  /** Milliseconds for running attempts to finish when the server closes. */
  grace?: number
}

/** Attempts to start before the waiting webhooks are read again: others may have come. */
const mostOfLook = 8

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
  const { outbox, keyring, send, now, random, onError } = options
  const { schedule = usualSchedule, interval = 1000, lease = 60, grace = 3000 } = options
  const ending = new AbortController()
  // Every running attempt adds a listener.
  setMaxListeners(0, ending.signal)
  const underway = new Map<Promise<void>, WebhookTurn & { share: WebhookShare }>()
  /** By webhook. */
  const last = new Map<string, 'accepted' | 'failed'>()
  const organizations = new Map<string, string>()
  let closed = false
  const claiming = new Map<WebhookShare, Promise<unknown>>()

  const requestOf = (message: DueMessage) => {
    const { id, type, data, createdAt } = message
    const timestamp = Math.floor(now() / 1000)
    const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
    const secrets = openSecrets(keyring, message.secrets)
    return {
      url: message.url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Latchkey-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook({ id, timestamp, body }, secrets),
      },
    }
  }

  const attemptOf = async (message: DueMessage): Promise<Attempt> => {
    let request: ReturnType<typeof requestOf>
    try {
      request = requestOf(message)
    } catch {
      return { kind: 'failed', fault: 'secret_unreadable' }
    }
    return send(request, ending.signal)
  }

  const write = (message: DueMessage, attempt: Attempt, state: MessageState) => {
    if (state === 'delivered') return outbox.delivered(message, attempt)
    if (state === 'gone' || state === 'given_up')
      return outbox.giveUp(message, attempt, state === 'gone', eventsOf(message))
    return outbox.retry(message, attempt, state.retryIn)
  }

  const deliver = async (message: DueMessage) => {
    const attempt = await attemptOf(message)
    if (attempt.kind === 'failed' && ending.signal.aborted) return outbox.release(message)
    const state = stateAfter(attempt, message, schedule, random())
    last.set(message.webhookId, state === 'delivered' ? 'accepted' : 'failed')
    await write(message, attempt, state)
    options.onAttempt(message, attempt, state)
  }

  const start = (share: WebhookShare, turn: WebhookTurn, message: DueMessage) => {
    const flight = deliver(message)
      .catch(onError)
      .finally(() => {
        underway.delete(flight)
        look()
      })
    underway.set(flight, { ...turn, share })
  }

  const claimNext = async (webhookId: string): Promise<DueMessage | null> => {
    const taken = await outbox.claim(webhookId, organizations.get(webhookId) ?? '', lease)
    if (taken === null) organizations.delete(webhookId)
    else organizations.set(webhookId, taken.organization)
    return taken?.message ?? null
  }

  const runningOf = (share: WebhookShare) =>
    [...underway.values()].filter((one) => one.share === share)

  /** @returns the number of attempts that it has started */
  const startSome = async (share: WebhookShare): Promise<number> => {
    if (closed || isFull(share, runningOf(share))) return 0
    let waiting = await outbox.waiting(share)
    let started = 0
    while (!closed && started < mostOfLook) {
      const turn = nextTurn(share, waiting, runningOf(share), last)
      if (turn === null) break
      const message = await claimNext(turn.webhookId)
      if (message === null) waiting = waiting.filter((one) => one !== turn)
      else if (closed) await outbox.release(message)
      else {
        start(share, turn, message)
        started++
      }
    }
    return started
  }

  const claimShare = async (share: WebhookShare) => {
    while ((await startSome(share)) === mostOfLook);
  }

  const look = () => {
    for (const share of webhookShares) {
      if (closed || claiming.has(share)) continue
      const claim = claimShare(share)
        .catch(onError)
        .finally(() => claiming.delete(share))
      claiming.set(share, claim)
    }
  }

  const looking = setInterval(look, interval).unref()
  const measuring = measured(options)

  return {
    /** Finishes running attempts, or releases their messages. */
    close: async () => {
      closed = true
      clearInterval(looking)
      await Promise.all([...claiming.values(), measuring.close()])
      const timer = setTimeout(() => ending.abort(), grace)
      await Promise.all(underway.keys())
      clearTimeout(timer)
    },
  }
}
