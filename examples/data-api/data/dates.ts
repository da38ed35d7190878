/** The accepted forms, for errors. */
export const dateForms =
  'a date as ISO 8601, YYYY-M-D, M-D-YYYY or M-D-YY, also with slashes or dots'

const isoTime = /^T([01]\d|2[0-4]):[0-5]\d(:[0-6]\d([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/
const yearFirst = /^(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})$/
const monthFirst = /^(?<month>\d{1,2})([-/.])(?<day>\d{1,2})\2(?<year>\d{4}|\d{2})$/

/** Two digits mean a year from 1969 to 2068, as in POSIX. */
const fullYear = (year: string) => {
  if (year.length === 4) return year
  return `${Number(year) < 69 ? 20 : 19}${year}`
}

/** Only the day counts: the time of a timestamp is dropped, not converted. */
const withoutTime = (text: string) => {
  const at = text.indexOf('T')
  return at > 0 && isoTime.test(text.slice(at)) ? text.slice(0, at) : text
}

/**
 * Reads a date: an ISO 8601 timestamp, YYYY-M-D or M-D-YYYY, also with a two-digit year, and with
 * slashes or dots. @returns the timestamp of its midnight in UTC; null if it is not a date of the
 * calendar
 */
export const readDate = (text: string): string | null => {
  const day = withoutTime(text)
  const { groups } = yearFirst.exec(day) ?? monthFirst.exec(day) ?? {}
  if (!groups) return null
  const [month, date] = [groups.month, groups.day].map((part) => part?.padStart(2, '0'))
  const iso = `${fullYear(groups.year ?? '')}-${month}-${date}T00:00:00.000Z`
  const read = new Date(iso)
  // Date would turn the 31st of February into the 3rd of March.
  return Number.isNaN(read.getTime()) || read.toISOString() !== iso ? null : iso
}
