/** Dates, numbers and lists in the manner of the language. Times are in UTC. */
import { perLanguage } from './message.ts'
import { type Phrase, phrase } from './phrase.ts'

const dateWith = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((tag) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
    return (date: Date) => format.format(date)
  })

const listOf = (type: 'conjunction' | 'disjunction') =>
  perLanguage((tag) => {
    const format = new Intl.ListFormat(tag, { type })
    return (names: readonly string[]): Phrase =>
      format
        .formatToParts(names)
        .flatMap(({ type, value }) => (type === 'element' ? phrase`${value}` : [value]))
  })

const wordsOf = (type: 'conjunction' | 'disjunction') =>
  perLanguage((tag) => {
    const format = new Intl.ListFormat(tag, { type })
    return (words: readonly string[]) => format.format(words)
  })

export const formats = {
  /** 24 November 2026 */
  day: dateWith({ dateStyle: 'long' }),
  /** Tuesday, 24 November 2026 */
  weekday: dateWith({ dateStyle: 'full' }),
  /** 24 Nov */
  shortDay: dateWith({ day: 'numeric', month: 'short' }),
  /** 13:05:09 */
  time: dateWith({ timeStyle: 'medium' }),
  /** 24 November 2026 at 13:05 UTC */
  moment: dateWith({
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }),
  number: perLanguage((tag) => {
    const format = new Intl.NumberFormat(tag)
    return (amount: number) => format.format(amount)
  }),
  /** A distance from now, such as "3 days ago" or "tomorrow"; negative: in the past. */
  relative: perLanguage((tag) => {
    const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
    return (amount: number, unit: Intl.RelativeTimeFormatUnit) => format.format(amount, unit)
  }),
  list: {
    /** "Files and Tables", with each name isolated from the words. */
    all: listOf('conjunction'),
    /** "Kim, Lee or Sam", with each name isolated from the words. */
    any: listOf('disjunction'),
    /** "name and e-mail address" */
    allWords: wordsOf('conjunction'),
    /** "a password or a passkey" */
    anyWords: wordsOf('disjunction'),
  },
}
