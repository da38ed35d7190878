// Values as databases write them.

/** A boolean of any of the databases. */
export const isTrue = (text: string | null | undefined) =>
  text === '1' || text === 't' || text === 'true'

export const wordsOf = (text: string | null | undefined) =>
  (text ?? '').split(/\s+/).filter(Boolean)

/** Milliseconds since 1970 of a time in UTC; NaN for none. */
export const millisecondsOf = (text: string | null | undefined): number =>
  Date.parse(`${text?.slice(0, 10)}T${text?.slice(11, 19)}Z`)

/** The time as a field of a line, or no field. */
export const timeField = (name: string, text: string | null | undefined) => {
  const at = millisecondsOf(text)
  return Number.isNaN(at) ? {} : { [name]: new Date(at).toISOString() }
}

/** Django shows a UUID with dashes, and stores it without where the database has no such type. */
export const subjectOf = (person: string) =>
  person.replace(
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/,
    '$1-$2-$3-$4-$5',
  )
