import type { DueMail } from './mail.ts'
import type { MailType } from './mail-rules.ts'

/** The result of sending one message. */
export type MailAttempt =
  | { kind: 'sent' }
  /** The SMTP server cannot be reached, or refuses this server: no other mail would be sent either. */
  | { kind: 'away'; fault: string }
  /** The SMTP server refused this message for the moment (4xx). */
  | { kind: 'deferred'; fault: string }
  /** The SMTP server refused this message for good (5xx). */
  | { kind: 'refused'; fault: string }

const day = 24 * 3600
/** Seconds after which a mail is given up. */
const usualAge = 3 * day
/** A link of a forgotten password is of no use when it has expired. */
const ages: Partial<Record<MailType, number>> = { 'password.requested': 1800 }

export const longestAge = ({ type }: Pick<DueMail, 'type'>) => ages[type] ?? usualAge

/** Half of the pause is random. @param attempts including this one @param random 0 to 1 @returns seconds */
const pauseAfter = (attempts: number, random: number) =>
  Math.min(3600, 30 * 3 ** (attempts - 1)) * (0.5 + random / 2)

/** The pause before the SMTP server is tried again. @param failures in a row @returns seconds */
export const outagePause = (failures: number, random: number) =>
  Math.min(60, 2 ** failures) * (0.5 + random / 2)

/** The state of a message after an attempt. */
export type MailState = 'sent' | 'given_up' | 'released' | { retryIn: number }

export const mailStateAfter = (
  attempt: MailAttempt,
  mails: readonly Pick<DueMail, 'age' | 'attempts' | 'type'>[],
  random: number,
): MailState => {
  if (attempt.kind === 'sent') return 'sent'
  if (attempt.kind === 'refused') return 'given_up'
  // A message with several mails is worth sending as long as one of them is.
  const isOld = mails.every((mail) => mail.age > longestAge(mail))
  if (isOld) return 'given_up'
  if (attempt.kind === 'away') return 'released'
  return { retryIn: pauseAfter(Math.max(...mails.map(({ attempts }) => attempts)), random) }
}
