import { randomUUID } from 'node:crypto'
import { groupedBy } from '../language/grouped.ts'
import { measured } from '../limits/periodically.ts'
import type { DueMail, MailBundle, MailOutbox } from './mail.ts'
import { type MailLane, mailLanes } from './mail-rules.ts'
import {
  longestAge,
  type MailAttempt,
  type MailState,
  mailStateAfter,
  outagePause,
} from './mail-schedule.ts'
import { passwordRequested } from './password-requests.ts'

/** More mails of one user than this, due at the same time, become one message. */
const mostSeparate = 5
/** A message lists at most so many mails. */
const mostBundled = 50
/** Of one type. */
const eventsAtOnce = 50
/** Messages that are sent at once. */
const senders: Record<MailLane, number> = { account: 1, security: 1, other: 3 }
/** Connections to the SMTP server. */
export const mostSenders = Object.values(senders).reduce((sum, count) => sum + count)
/** Mails of one user in one turn. Those that can wait are bundled. */
const mostInTurn: Record<MailLane, number> = { account: 5, security: 5, other: 500 }
/** Turns of which other instances hold the mails, before the lane waits for the next look. */
const mostMissed = 10
const announceEvery = 600_000 // ms

const isUrgent = ({ category }: DueMail) => category === 'security' || category === 'account'

const groupsOf = (mails: readonly DueMail[], keyOf: (mail: DueMail) => string | null) => [
  ...groupedBy(mails, keyOf).values(),
]

const inPieces = (mails: readonly DueMail[]) =>
  Array.from({ length: Math.ceil(mails.length / mostBundled) }, (_, at) =>
    mails.slice(at * mostBundled, (at + 1) * mostBundled),
  ) as [DueMail, ...DueMail[]][]

interface Message {
  mails: MailBundle['mails']
  /** The mails are not stored as a bundle yet. */
  isNew: boolean
}

/** Sorts mails into messages. Mails about the security of an account are never hidden in a list. */
const messagesOf = (due: readonly DueMail[]): Message[] => {
  const bundled = due.filter(({ bundle }) => bundle !== null)
  const loose = due.filter((mail) => mail.bundle === null && !isUrgent(mail))
  const urgent = due.filter((mail) => mail.bundle === null && isUrgent(mail))
  const single = (mail: DueMail): Message => ({ mails: [mail], isNew: false })
  return [
    ...urgent.map(single),
    ...groupsOf(bundled, ({ bundle }) => bundle).map((mails) => ({ mails, isNew: false })),
    ...groupsOf(loose, ({ recipient }) => recipient.id).flatMap((mails) =>
      mails.length > mostSeparate
        ? inPieces(mails).map((piece) => ({ mails: piece, isNew: piece.length > 1 }))
        : mails.map(single),
    ),
  ]
}

/**
 * Queues the mails of new events and sends due ones, in the background. Any number of instances share the work. When an
 * instance is killed, another one sends its mails again under the same Message-ID.
 */
export const createMailDelivery = (options: {
  outbox: MailOutbox
  /** Sends one message. Never rejects. */
  send(mails: MailBundle['mails']): Promise<MailAttempt>
  /** Milliseconds, of any clock that only goes forward. */
  uptime(): number
  /** 0 to 1. */
  random(): number
  onAttempt(mails: MailBundle['mails'], attempt: MailAttempt, state: MailState): void
  onBacklog(waiting: number, overdue: number): void
  onError(error: unknown): void
  /** Milliseconds between two queries for due mails. */
  interval?: number
  /** Seconds; longer than any attempt takes. */
  lease?: number
}) => {
  const { outbox, send, uptime, random, onError, interval = 1000, lease = 120 } = options
  let closed = false
  const running = new Map<string, Promise<void>>()
  let failures = 0
  /** Uptime before which the SMTP server is not tried again. */
  let pausedUntil = 0
  let announcedAt = Number.NEGATIVE_INFINITY

  const write = async (bundle: MailBundle, attempt: MailAttempt, state: MailState) => {
    const error = attempt.kind === 'sent' ? '' : attempt.fault
    if (state === 'sent') return outbox.sent(bundle)
    if (state === 'given_up') return outbox.giveUp(bundle, error)
    if (state === 'released') return outbox.release(bundle, 0)
    return outbox.retry(bundle, error, state.retryIn)
  }

  const isPaused = () => closed || uptime() < pausedUntil

  const deliver = async (claim: string, { mails, isNew }: Message) => {
    const bundle: MailBundle = { claim, mails }
    if (isPaused()) return outbox.release(bundle, 0)
    if (mails.every((mail) => mail.age > longestAge(mail))) return outbox.giveUp(bundle, 'too_old')
    if (isNew) await outbox.bundle(bundle, randomUUID())
    const attempt = await send(mails)
    failures = attempt.kind === 'away' ? failures + 1 : 0
    if (failures > 0) pausedUntil = uptime() + outagePause(failures, random()) * 1000
    const state = mailStateAfter(attempt, mails, random())
    await write(bundle, attempt, state)
    options.onAttempt(mails, attempt, state)
  }

  /** Claims the mails of the next turn of a lane, one claim after the other. */
  const turnsOf = (lane: MailLane) => {
    let turn = ''
    let claiming: Promise<unknown> = Promise.resolve()
    const claim = async () => {
      for (let missed = 0; missed < mostMissed && !isPaused(); missed++) {
        const name = randomUUID()
        const next = { lane, turn, most: mostInTurn[lane], claim: name, lease }
        const taken = await outbox.claim(next)
        if (taken === null) return null
        turn = taken.turn
        if (taken.mails.length > 0) return { claim: name, messages: messagesOf(taken.mails) }
      }
      return null
    }
    return () => {
      const next = claiming.then(claim)
      claiming = next.catch(() => undefined)
      return next
    }
  }
  const turns = mailLanes.map((lane) => ({ lane, next: turnsOf(lane) }))

  const sendDue = async (next: (typeof turns)[number]['next']) => {
    for (let due = await next(); due; due = await next())
      for (const message of due.messages) await deliver(due.claim, message).catch(onError)
  }

  /** Starts this work unless it runs. */
  const run = (name: string, work: () => Promise<void>) => {
    if (closed || running.has(name)) return
    const done = work()
      .catch(onError)
      .finally(() => running.delete(name))
    running.set(name, done)
  }

  const startSenders = () => {
    for (const { lane, next } of turns)
      for (let at = 0; at < senders[lane]; at++) run(`${lane} ${at}`, () => sendDue(next))
  }

  const expand = async () => {
    if (uptime() - announcedAt > announceEvery) {
      await outbox.announce()
      announcedAt = uptime()
    }
    while (!closed && (await outbox.expand(eventsAtOnce, passwordRequested)) > 0) startSenders()
  }

  const look = () => {
    startSenders()
    run('expand', expand)
  }

  look()
  const looking = setInterval(look, interval).unref()
  const measuring = measured(options)

  return {
    /** Finishes the running attempts. */
    close: async () => {
      closed = true
      clearInterval(looking)
      await Promise.all([...running.values(), measuring.close()])
    },
  }
}

export type MailDelivery = ReturnType<typeof createMailDelivery>
