import { readFileSync } from 'node:fs'
import { isLanguage, type Language } from '../core/language/languages.ts'
import { areas, english, textOfAreas } from './english.ts'
import { type Catalogue, translated } from './translation.ts'

/** The words of all pages and mails in one language. */
export type Text = typeof english

type Translation = Exclude<Language, 'en'>

/** The translations of a language, from `words/<language>.json`. */
export const catalogueOf = (language: Translation): Catalogue =>
  JSON.parse(readFileSync(new URL(`../../words/${language}.json`, import.meta.url), 'utf8'))

const made = new Map<string, Text>([['en', english]])

/** The words in a language, read at their first use; in English when there is no such language. */
export const textIn = (language: string | null): Text => {
  const known = made.get(language ?? 'en')
  if (known) return known
  if (!isLanguage(language)) return english
  const catalogue = catalogueOf(language as Translation)
  const text = textOfAreas(translated(areas, language, catalogue))
  made.set(language, text)
  return text
}
