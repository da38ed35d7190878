import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '../../../core/language/languages.ts'
import { languageCookie } from '../../browser/browser.ts'
import { chosenIn, readerLanguage } from '../../browser/reader-language.ts'
import { ar } from '../ar/arabic.ts'
import { de } from '../de/german.ts'
import { areas, type Catalogues, english, textOfAreas } from '../en/english.ts'
import { translated } from '../en/translation.ts'
import { es } from '../es/spanish.ts'
import { fr } from '../fr/french.ts'
import { ja } from '../ja/japanese.ts'
import { ptBR } from '../pt-BR/portuguese.ts'

/** The words of all pages in one language. */
export type Text = typeof english

declare module 'fastify' {
  interface FastifyInstance {
    /** The language of readers of whom nothing is known. */
    defaultLanguage: Language
  }
}

/** The translations of each language by area. */
export const catalogues: Record<Exclude<Language, 'en'>, Catalogues> = {
  de,
  fr,
  es,
  'pt-BR': ptBR,
  ja,
  ar,
}

const made = new Map<string, Text>([['en', english]])

const make = (language: Exclude<Language, 'en'>): Text => {
  const own: Record<string, Readonly<Record<string, string | undefined>>> = catalogues[language]
  const parts = Object.entries(areas).map(([name, area]) => [
    name,
    translated(area, language, own[name] ?? {}),
  ])
  return textOfAreas(Object.fromEntries(parts) as typeof areas)
}

/** The words in a language; in English when there is no such language. */
export const textIn = (language: string | null): Text => {
  const known = made.get(language ?? 'en')
  if (known) return known
  if (!Object.hasOwn(catalogues, language as string)) return english
  const text = make(language as Exclude<Language, 'en'>)
  made.set(language as string, text)
  return text
}

/** The language of the reader of a request. */
const languageOf = (request: FastifyRequest): Language =>
  readerLanguage(
    request,
    chosenIn(request.cookies?.[languageCookie]),
    request.server.defaultLanguage ?? 'en',
  )

/** The words for the reader of a request. */
export const textOf = (request: FastifyRequest): Text => textIn(languageOf(request))

/** @param language that of readers of whom nothing is known */
export const setDefaultLanguage = (server: FastifyInstance, language: Language) => {
  server.decorate('defaultLanguage', language)
}
