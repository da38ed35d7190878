import type { LoggedEvent } from '../audit/audit-log.ts'
import { createRounds, type DeliveryOptions, type Outbox } from '../webhooks/rounds.ts'
import type { Attempt } from '../webhooks/schedule.ts'
import { signedHeaders } from '../webhooks/signature.ts'

import { type AuditStream, streamSealPlace } from './audit-streams.ts'

/** A stream that this instance may send for until the claim expires. */
export interface ClaimedStream
  extends Pick<AuditStream, 'id' | 'url' | 'format' | 'organizationId' | 'sealed'> {
  /** An instance with a lower number has lost its claim. */
  claims: string
  /** Failed attempts of the batch. */
  attempts: number
  /** The test message to send first; null: none. */
  testId: string | null
  /** The batch that was sent before and not accepted; null: none. */
  messageId: string | null
  /** Number of its events. */
  batchEvents: number | null
  /** Places of the store: the cursor, and the end of the batch. */
  cursor: readonly string[]
  batchEnd: readonly string[] | null
}

/**
 * The streams with a due batch or test. The errors of a stream: a `SendFault`, the status of a response, or `events_expired`,
 * which only a change or a failure replaces. Its backlog: the streams that are behind, and the age of the oldest event that
 * they wait for.
 */
export interface StreamOutbox extends Outbox<ClaimedStream> {
  /** @param lease seconds @returns null when another instance holds it, or nothing is due */
  claim(id: string, lease: number): Promise<ClaimedStream | null>
  /** The events of the batch or, without one, those after the cursor, oldest first. */
  events(stream: ClaimedStream, most: number): Promise<LoggedEvent[]>
  /** Stores the batch: so many events after the cursor, the last one of which has this id. @returns false when the claim is lost */
  form(stream: ClaimedStream, messageId: string, count: number, lastId: string): Promise<boolean>
  /** Some of the batch is no longer kept: drops it, so that the next one begins at the oldest event that is kept. */
  expired(stream: ClaimedStream, messageId: string): Promise<void>
  /** Moves the cursor behind the batch. */
  accepted(stream: ClaimedStream, messageId: string): Promise<void>
  /** @param after seconds until the next attempt */
  failed(stream: ClaimedStream, messageId: string, error: string, after: number): Promise<void>
  /** @param error null: the receiver accepted it, and a waiting batch is due at once */
  tested(stream: ClaimedStream, error: string | null): Promise<void>
}

export interface StreamDeliveryOptions extends DeliveryOptions {
  outbox: StreamOutbox
  /** Writes an event as one line of JSON. */
  lineOf: Record<AuditStream['format'], (event: LoggedEvent) => string>
  newMessageId(): string
  onAttempt(stream: ClaimedStream, attempt: Attempt, outcome: 'delivered' | 'retried'): void
}

const streamTestEvent = 'audit_stream.test'

const mostEvents = 250
/** Of a body. A single event may be larger. */
const mostBytes = 512 * 1024
/** Seconds before the next attempts; then every minute. */
const pauses = [1, 5, 30]
const longestPause = 60

/** The first lines that a body has room for; at least one. */
const fitting = (lines: readonly string[]) => {
  let bytes = 0
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1
    return bytes > mostBytes
  })
  return end < 0 ? lines : lines.slice(0, Math.max(end, 1))
}

const errorOf = (attempt: Attempt): string | null => {
  if (attempt.kind === 'failed') return attempt.fault
  return attempt.status >= 200 && attempt.status < 300 ? null : String(attempt.status)
}

/**
 * Pushes the audit trail in batches. The cursor of a stream moves only when its receiver has accepted a batch, so that
 * each event arrives in order and at least once. When an instance is killed, another one sends the same batch again.
 */
export const createStreamDelivery = (options: StreamDeliveryOptions) => {
  const { outbox, keyring, send, lineOf, newMessageId, now, lease = 20 } = options

  const post = async (
    { id: streamId, url, sealed }: ClaimedStream,
    { id, lines }: { id: string; lines: readonly string[] },
    ending: AbortSignal,
  ): Promise<Attempt> => {
    const timestamp = Math.floor(now() / 1000)
    const body = lines.map((line) => `${line}\n`).join('')
    let secret: string
    try {
      secret = keyring.open(sealed, streamSealPlace(streamId)).toString('utf8')
    } catch {
      return { kind: 'failed', fault: 'secret_unreadable' }
    }
    const signed = signedHeaders({ id, timestamp, body }, [secret])
    const headers = { 'content-type': 'application/x-ndjson', ...signed }
    return send({ url, body, headers }, ending)
  }

  const testLine = ({ id, organizationId, testId, format }: ClaimedStream) =>
    lineOf[format]({
      ...{ id: testId ?? '', at: new Date(now()), type: streamTestEvent, organizationId },
      ...{ clientId: null, userId: null, address: null, requestId: null },
      ...{ actor: { kind: 'system', id: null }, detail: { audit_stream_id: id } },
    })

  /** The batch to send. @returns null when there is none now */
  const batchOf = async (stream: ClaimedStream) => {
    const events = await outbox.events(stream, mostEvents)
    const all = events.map(lineOf[stream.format])
    const { messageId, batchEvents } = stream
    if (messageId !== null) {
      if (events.length === batchEvents) return { id: messageId, lines: all }
      await outbox.expired(stream, messageId)
      return null
    }
    const [id, lines] = [newMessageId(), fitting(all)]
    const last = events[lines.length - 1]
    return last && (await outbox.form(stream, id, lines.length, last.id)) ? { id, lines } : null
  }

  const attemptOf = async (stream: ClaimedStream, ending: AbortSignal): Promise<Attempt | null> => {
    const { testId, attempts } = stream
    const isTest = testId !== null
    const message = isTest ? { id: testId, lines: [testLine(stream)] } : await batchOf(stream)
    if (message === null) return null
    const attempt = await post(stream, message, ending)
    const error = errorOf(attempt)
    if (error !== null && ending.aborted) return null
    if (isTest) await outbox.tested(stream, error)
    else if (error === null) await outbox.accepted(stream, message.id)
    else await outbox.failed(stream, message.id, error, pauses[attempts] ?? longestPause)
    return attempt
  }

  return createRounds<ClaimedStream>({
    interval: 500,
    ...options,
    claim: (id) => outbox.claim(id, lease),
    // After an error the claim stays until it expires, so that the error is not repeated at once.
    attempt: async (stream, ending) => {
      const attempt = await attemptOf(stream, ending)
      await outbox.release(stream)
      if (attempt === null) return null
      const isAccepted = errorOf(attempt) === null
      options.onAttempt(stream, attempt, isAccepted ? 'delivered' : 'retried')
      return isAccepted ? 'accepted' : 'failed'
    },
  })
}
