/** Why nobody took a message, where there was no answer to say so. */
export type SendFault =
  | 'address_refused'
  | 'name_unknown'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'secret_unreadable'

/** What came of one attempt. */
export type Attempt =
  | {
      kind: 'answered'
      status: number
      /** Seconds that the receiver asks us to wait; null: it does not. */
      retryAfter: number | null
    }
  | { kind: 'failed'; fault: SendFault }

export interface Schedule {
  /** Seconds before the second attempt. */
  first: number
  /** What each further pause is multiplied by. */
  factor: number
  /** Seconds; no pause is longer. */
  longest: number
  /** Seconds after the event at which nobody tries any more. */
  giveUpAfter: number
}

/** Some fifteen attempts: after seconds, minutes, hours, and then three times a day, for three days. */
export const usualSchedule: Schedule = {
  first: 5,
  factor: 4,
  longest: 8 * 3600,
  giveUpAfter: 3 * 24 * 3600,
}

/** What becomes of a message. */
export type Fate = 'delivered' | 'gone' | 'given_up' | { retryIn: number }

/** Half of it is random, so that what failed together is not sent again together. */
const pause = ({ first, factor, longest }: Schedule, attempts: number, random: number) =>
  Math.min(longest, first * factor ** (attempts - 1)) * (0.5 + random / 2)

/** Nobody makes us wait longer by Retry-After (seconds). */
const longestAskedFor = 24 * 3600

/** RFC 9110 §10.2.3 and RFC 6585 §4; with other statuses Retry-After says something else. */
const askedFor = (attempt: Attempt) =>
  attempt.kind === 'answered' && (attempt.status === 429 || attempt.status === 503)
    ? Math.min(attempt.retryAfter ?? 0, longestAskedFor)
    : 0

/**
 * @param attempts so far, this one included
 * @param age seconds since the event
 * @param random 0 to 1
 */
export const fateOf = (
  attempt: Attempt,
  attempts: number,
  age: number,
  schedule: Schedule,
  random: number,
): Fate => {
  if (attempt.kind === 'answered') {
    if (attempt.status >= 200 && attempt.status < 300) return 'delivered'
    if (attempt.status === 410) return 'gone'
  }
  const wait = Math.max(pause(schedule, attempts, random), askedFor(attempt))
  return age + wait > schedule.giveUpAfter ? 'given_up' : { retryIn: wait }
}
