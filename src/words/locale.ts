/** What a language means for `Intl`. */
import type { IntlMessageFormat } from 'intl-messageformat'

type Formatters = NonNullable<
  NonNullable<ConstructorParameters<typeof IntlMessageFormat>[3]>['formatters']
>

/** English writes dates as in 24 November 2026. */
export const tagOf = (language: string) => (language === 'en' ? 'en-GB' : language)

/** Older versions of Node have a property, newer ones a method (ECMA-402, Intl Locale Info). */
interface LocaleInfo {
  getTextInfo?(): { direction: 'ltr' | 'rtl' }
  textInfo?: { direction: 'ltr' | 'rtl' }
}
export const isRightToLeft = (language: string): boolean => {
  const locale = new Intl.Locale(language) as LocaleInfo
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === 'rtl'
}

const shared = new Map<string, Formatters>()

/** The formatters that all messages of a language share: making one costs more than its use. */
export const formattersOf = (language: string): Formatters => {
  const known = shared.get(language)
  if (known) return known
  const tag = tagOf(language)
  const made = new Map<string, unknown>()
  const once = <Value>(kind: string, options: unknown, make: () => Value): Value => {
    const key = `${kind} ${JSON.stringify(options)}`
    if (!made.has(key)) made.set(key, make())
    return made.get(key) as Value
  }
  const formatters: Formatters = {
    getNumberFormat: (_, options) =>
      once(
        'number',
        options,
        () => new Intl.NumberFormat(tag, options as Intl.NumberFormatOptions),
      ),
    getDateTimeFormat: (_, options) =>
      once('date', options, () => new Intl.DateTimeFormat(tag, options)),
    getPluralRules: (_, options) =>
      once('plural', options, () => new Intl.PluralRules(tag, options)),
  }
  shared.set(language, formatters)
  return formatters
}
