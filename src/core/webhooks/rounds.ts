import { setMaxListeners } from 'node:events'
import type { Keyring } from '../crypto/keyring.ts'
import { measured } from '../limits/periodically.ts'
import type { SendWebhook } from './sender.ts'
import { isFull, nextTurn, type WebhookShare, type WebhookTurn, webhookShares } from './turns.ts'

/** What waits to be sent. Any number of instances share it, and a write under a lost claim does nothing. */
export interface Outbox<Claimed> {
  /** Some receivers of this share with due work: of each owner, the ones that wait longest come first. */
  waiting(share: WebhookShare): Promise<WebhookTurn[]>
  /** Undoes the claim: the work is due at once, for any instance. */
  release(claimed: Claimed): Promise<void>
  /** @returns how much is due, and the seconds that the oldest is overdue */
  backlog(): Promise<{ waiting: number; overdue: number }>
}

/** What a sender of signed messages needs. */
export interface DeliveryOptions {
  keyring: Pick<Keyring, 'open'>
  send: SendWebhook
  /** Milliseconds since 1970. */
  now(): number
  /** Seconds of the oldest `overdue` one. */
  onBacklog(waiting: number, overdue: number): void
  onError(error: unknown): void
  /** Seconds; longer than any attempt takes. */
  lease?: number
  /** Milliseconds between two queries for due work. */
  interval?: number
  /** Milliseconds for running attempts to finish when the server closes. */
  grace?: number
}

interface RoundOptions<Claimed>
  extends Pick<DeliveryOptions, 'onBacklog' | 'onError' | 'interval' | 'grace'> {
  outbox: Outbox<Claimed>
  /** @returns null when there is nothing to send to this receiver now, or another instance holds it */
  claim(receiverId: string): Promise<Claimed | null>
  /** One attempt. @returns null when the signal aborted it, and it is released */
  attempt(claimed: Claimed, ending: AbortSignal): Promise<'accepted' | 'failed' | null>
}

/** Attempts to start before the waiting receivers are read again: others may have come. */
const mostOfLook = 8

/** Sends in the background, a few attempts at once, and in turns, and measures what waits. */
export const createRounds = <Claimed>(options: RoundOptions<Claimed>) => {
  const { outbox, onError, interval = 1000, grace = 3000 } = options
  const ending = new AbortController()
  // Every running attempt adds a listener.
  setMaxListeners(0, ending.signal)
  const underway = new Map<Promise<void>, WebhookTurn & { share: WebhookShare }>()
  /** By receiver. */
  const last = new Map<string, 'accepted' | 'failed'>()
  let closed = false
  const claiming = new Map<WebhookShare, Promise<unknown>>()

  const attempt = async (claimed: Claimed, { webhookId }: WebhookTurn) => {
    const result = await options.attempt(claimed, ending.signal)
    if (result !== null) last.set(webhookId, result)
  }

  const start = (share: WebhookShare, turn: WebhookTurn, claimed: Claimed) => {
    const flight = attempt(claimed, turn)
      .catch(onError)
      .finally(() => {
        underway.delete(flight)
        look()
      })
    underway.set(flight, { ...turn, share })
  }

  const runningOf = (share: WebhookShare) =>
    [...underway.values()].filter((one) => one.share === share)

  const read = async (share: WebhookShare) => {
    const waiting = await outbox.waiting(share)
    for (const { webhookId, isFailing } of waiting) if (isFailing) last.set(webhookId, 'failed')
    return waiting
  }

  /** @returns the number of attempts that it has started */
  const startSome = async (share: WebhookShare): Promise<number> => {
    if (closed || isFull(share, runningOf(share))) return 0
    let waiting = await read(share)
    let started = 0
    while (!closed && started < mostOfLook) {
      const turn = nextTurn(share, waiting, runningOf(share), last)
      if (turn === null) break
      const claimed = await options.claim(turn.webhookId)
      if (claimed === null) waiting = waiting.filter((one) => one !== turn)
      else if (closed) await outbox.release(claimed)
      else {
        start(share, turn, claimed)
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
    /** Finishes running attempts, or releases what they hold. */
    close: async () => {
      closed = true
      clearInterval(looking)
      await Promise.all([measuring.close(), ...claiming.values()])
      const timer = setTimeout(() => ending.abort(), grace)
      await Promise.all(underway.keys())
      clearTimeout(timer)
    },
  }
}
