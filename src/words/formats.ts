/** Dates, numbers and lists in the manner of the language. Times are in UTC. */
import { perLanguage } from './message.ts'
import { type Phrase, phrase } from './phrase.ts'

const dateWith = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((tag) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
    return (date: Date) => format.format(date)
  })

/** Entries are names, or words of ours such as "another admin". */
const listOf = (type: 'conjunction' | 'disjunction') =>
  perLanguage((tag) => {
    const format = new Intl.ListFormat(tag, { type })
    return (entries: readonly (string | Phrase)[]): Phrase => {
      let at = 0
      return format
        .formatToParts(entries.map((_, index) => String(index)))
        .flatMap((part): Phrase => {
          if (part.type !== 'element') return [part.value]
          const entry = entries[at++] as string | Phrase
          return typeof entry === 'string' ? phrase`${entry}` : entry
        })
    }
  })

const allWords = perLanguage((tag) => {
  const format = new Intl.ListFormat(tag, { type: 'conjunction' })
  return (words: readonly string[]) => format.format(words)
})

const separators: Record<string, { comma: string; semicolon: string }> = {
  ar: { comma: '، ', semicolon: '؛ ' },
  ja: { comma: '、', semicolon: '；' },
}

/** A list without a last "and". */
const joined = (sign: 'comma' | 'semicolon') =>
  perLanguage((tag) => {
    const separator = separators[tag]?.[sign] ?? { comma: ', ', semicolon: '; ' }[sign]
    return (words: readonly string[]) => words.join(separator)
  })

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Time from now in seconds, in the largest unit that fits. */
const distance = perLanguage((tag) => {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return (seconds: number) => {
    const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
    return format.format(Math.trunc(seconds / size), unit)
  }
})

/** A number of days in the past, in days, months or years. */
const daysAgo = perLanguage((tag) => {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return (days: number) => {
    if (days < 60) return format.format(-days, 'day')
    return days < 730
      ? format.format(-Math.round(days / 30.4), 'month')
      : format.format(-Math.floor(days / 365), 'year')
  }
})

const minute = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const

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
  moment: dateWith(minute),
  /** 24 November 2026 at 13:05:09 UTC */
  second: dateWith({ ...minute, second: '2-digit' }),
  number: perLanguage((tag) => {
    const format = new Intl.NumberFormat(tag)
    return (amount: number) => format.format(amount)
  }),
  /** "in 3 days", "an hour ago"; seconds from now, negative in the past */
  distance,
  /** "3 days ago", "2 months ago" */
  daysAgo,
  list: {
    /** "Files and Tables", with each name isolated from the words. */
    all: listOf('conjunction'),
    /** "Kim, Lee or Sam", with each name isolated from the words. */
    any: listOf('disjunction'),
    /** "name and e-mail address" */
    allWords,
    /** "name, description" */
    comma: joined('comma'),
    /** "Create records; Update records" */
    semicolon: joined('semicolon'),
  },
}
