/** A calendar day in UTC, `YYYY-MM-DD`. */
export type Day = string

/** Days, including the first and the last. */
export type Period = Record<'from' | 'to', Day>

const day =
  '(?:19[789]|[2-9]\\d\\d)\\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|[12]\\d))'
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d'
/** Pattern of a day since 1970. It accepts the 29th of February of each year. */
export const dayPattern = `^${day}$`
/** Pattern of a day, or a time (RFC 3339). */
export const edgePattern = `^${day}(?:T${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+\\-]${clock}))?$`

const shape = /^\d{4}-\d{2}-\d{2}$/
const milliseconds = 24 * 3600 * 1000

/** Is this an existing day since 1970? The 30th of February is not. */
export const isDay = (text: string): text is Day =>
  shape.test(text) &&
  text >= '1970-01-01' &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Parses the edge of a period: a time (RFC 3339), or a whole day in UTC.
 * @returns milliseconds since 1970; null for other text
 */
export const parseEdge = (edge: 'from' | 'to', text: string): number | null => {
  if (isDay(text)) return Date.parse(text) + (edge === 'to' ? milliseconds : 0)
  const at = time.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) || at < 0 ? null : at
}

/** @param at milliseconds since 1970 */
export const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10)

/** Days since 1970. */
export const dayNumber = (day: Day): number => Date.parse(day) / milliseconds

/** @param days added; negative for an earlier day */
const dayAfter = (day: Day, days: number): Day => dayOf(Date.parse(day) + days * milliseconds)

/** Every day of a period, in order. */
export const daysOf = ({ from, to }: Period): Day[] =>
  Array.from({ length: Math.max(0, dayNumber(to) - dayNumber(from) + 1) }, (_, at) =>
    dayAfter(from, at),
  )

/** The last `days` days, including today. */
export const lastDays = (today: Day, days: number): Period => ({
  from: dayAfter(today, 1 - days),
  to: today,
})
