import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '../../core/language/languages.ts'
import { languageCookie } from '../../http/browser/browser.ts'
import { chosenIn, readerLanguage } from '../../http/browser/reader-language.ts'
import { type Text, textIn } from '../../words/text.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The language of readers of whom nothing is known. */
    defaultLanguage: Language
  }
}

const languageOf = (request: FastifyRequest): Language =>
  readerLanguage(
    request,
    chosenIn(request.cookies?.[languageCookie]),
    request.server.defaultLanguage ?? 'en',
  )

export const textOf = (request: FastifyRequest): Text => textIn(languageOf(request))

/** @param language that of readers of whom nothing is known */
export const setDefaultLanguage = (server: FastifyInstance, language: Language) => {
  server.decorate('defaultLanguage', language)
}
