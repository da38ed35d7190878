import { match } from '@formatjs/intl-localematcher'
import { isLanguage, type Language, languages } from './languages.ts'

/** Tags of `Accept-Language` by their weight (RFC 9110 §12.5.4). */
export const acceptedTags = (header: string): string[] =>
  header
    .split(',', 50)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim())
      const weight = parameters.find((one) => /^q=/i.test(one))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

const mostWanted = 10
const tagShape = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/
const isTag = (value: string) => {
  try {
    return tagShape.test(value) && Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false // a form that no language has
  }
}

const none = 'zxx' // no linguistic content (ISO 639-2)

/**
 * The best of our languages for tags in order of preference (BCP 47); null when none fits. Values that are no tags are
 * ignored.
 */
export const bestLanguage = (wanted: readonly string[]): Language | null => {
  const tags = wanted.filter(isTag).slice(0, mostWanted)
  const best = tags.length === 0 ? none : match(tags, languages, none)
  return isLanguage(best) ? best : null
}
