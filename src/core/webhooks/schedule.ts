import type { ConnectFault } from '../outbound/connect.ts'

/** Why an attempt got no response. */
export type SendFault = ConnectFault | 'secret_unreadable'

/** The result of one attempt. */
export type Attempt =
  | {
      kind: 'answered'
      status: number
      /** Seconds that the receiver asks us to wait; null: it does not ask. */
      retryAfter: number | null
    }
  | { kind: 'failed'; fault: SendFault }

/** About fifteen attempts in three days: after seconds, minutes and hours, then three times a day. */
export const usualSchedule = {
  /** Seconds before the second attempt. */
  first: 5,
  /** The factor between two pauses. */
  factor: 4,
  /** Longest pause in seconds. */
  longest: 8 * 3600,
  /** Seconds after the event at which we give up. */
  giveUpAfter: 3 * 24 * 3600,
}

export type Schedule = typeof usualSchedule

/** The state of a message after an attempt. */
export type MessageState = 'delivered' | 'gone' | 'given_up' | { retryIn: number }

/** Half of the pause is random, so that messages that failed together are not retried together. */
const pause = ({ first, factor, longest }: Schedule, attempts: number, random: number) =>
  Math.min(longest, first * factor ** (attempts - 1)) * (0.5 + random / 2)

/** Longest Retry-After that we obey, in seconds. */
const longestAskedFor = 24 * 3600

/** RFC 9110 §10.2.3 and RFC 6585 §4; with other statuses Retry-After has other meanings. */
const requestedFor = (attempt: Attempt) =>
  attempt.kind === 'answered' && (attempt.status === 429 || attempt.status === 503)
    ? Math.min(attempt.retryAfter ?? 0, longestAskedFor)
    : 0

/** @param message with its attempts including this one, and its age in seconds @param random 0 to 1 */
export const stateAfter = (
  attempt: Attempt,
  { attempts, age }: Readonly<{ attempts: number; age: number }>,
  schedule: Schedule,
  random: number,
): MessageState => {
  if (attempt.kind === 'answered') {
    if (attempt.status >= 200 && attempt.status < 300) return 'delivered'
    if (attempt.status === 410) return 'gone'
  }
  const wait = Math.max(pause(schedule, attempts, random), requestedFor(attempt))
  return age + wait > schedule.giveUpAfter ? 'given_up' : { retryIn: wait }
}
