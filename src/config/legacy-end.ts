import { parseEdge } from '../core/language/period.ts'
import { type SettingValues, text } from './setting.ts'

export const legacyEndSettings = {
  LEGACY_DEPRECATED_AT: text(
    'A day such as `2027-03-31` or a time such as `2027-03-31T12:00:00Z`: when the legacy interface is deprecated.',
  ),
  LEGACY_SUNSET_AT: text(
    'A day or a time: when the legacy interface ends. Not before `LEGACY_DEPRECATED_AT`.',
  ),
  LEGACY_END_URL: text(
    'The address of a page about it. Needs `LEGACY_DEPRECATED_AT` or `LEGACY_SUNSET_AT`.',
  ),
}

const moment = (name: string, value: string, faults: string[]): Date | null => {
  if (value === '') return null
  const at = parseEdge('from', value)
  if (at !== null) return new Date(at)
  faults.push(`${name} must be a day such as 2027-03-31 or a time such as 2027-03-31T12:00:00Z`)
  return null
}

/** Reads the announced dates for the end of the legacy interface. */
export const readLegacyEnd = (env: SettingValues<typeof legacyEndSettings>, faults: string[]) => {
  const deprecatedAt = moment('LEGACY_DEPRECATED_AT', env.LEGACY_DEPRECATED_AT, faults)
  const sunsetAt = moment('LEGACY_SUNSET_AT', env.LEGACY_SUNSET_AT, faults)
  const link = env.LEGACY_END_URL || null
  // RFC 9745 §4.
  if (deprecatedAt && sunsetAt && sunsetAt < deprecatedAt)
    faults.push('LEGACY_SUNSET_AT must not be before LEGACY_DEPRECATED_AT')
  // The URL stands between angle brackets in a header.
  if (
    link !== null &&
    !/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(link)
  )
    faults.push('LEGACY_END_URL must be an http(s) URL')
  else if (link !== null && !deprecatedAt && !sunsetAt)
    faults.push('LEGACY_END_URL needs LEGACY_DEPRECATED_AT or LEGACY_SUNSET_AT')
  return { deprecatedAt, sunsetAt, link }
}
