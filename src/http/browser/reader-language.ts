import type { FastifyRequest } from 'fastify'
import { acceptedTags, bestLanguage } from '../../core/language/best-language.ts'
import { isLanguage, type Language } from '../../core/language/languages.ts'

/** What is known about the language of the person who reads the answer to a request. */
interface Wishes {
  /** Languages that the app prefers, as sent (`ui_locales`). */
  app: string | null
  /** The choice that is stored with the signed-in user. */
  user: string | null
  /** The interaction that the app began; null: none. */
  interaction: string | null
}

const wishes = new WeakMap<FastifyRequest, Wishes>()

/** Notes a wish that was found while the request is handled. */
export const noteWish = (request: FastifyRequest, wish: Partial<Wishes>) => {
  wishes.set(request, { app: null, user: null, interaction: null, ...wishes.get(request), ...wish })
}

const mostKept = 500
const kept = new Map<string, Language | null>()

/** The same few headers come again and again. */
const remembered = (header: string, find: () => Language | null) => {
  const known = kept.get(header)
  if (known !== undefined) return known
  if (kept.size >= mostKept) kept.clear()
  const found = find()
  kept.set(header, found)
  return found
}

/** @returns the best of our languages for the value of `ui_locales` */
const ofApp = (value: unknown): Language | null =>
  typeof value === 'string' && value !== ''
    ? remembered(`app ${value.slice(0, 200)}`, () => bestLanguage(value.slice(0, 200).split(' ')))
    : null

/** @returns the best of our languages for the value of `Accept-Language` */
const ofBrowser = (value: string | undefined): Language | null =>
  value
    ? remembered(value.slice(0, 500), () => bestLanguage(acceptedTags(value.slice(0, 500))))
    : null

/** The choice in this browser. */
export interface ChosenLanguage {
  language: Language
  /** The interaction in which it was made; null: elsewhere. */
  interaction: string | null
}

/** @param cookie a language, followed by a dot and the id of an interaction if the choice was made in one */
export const chosenIn = (cookie: string | undefined): ChosenLanguage | null => {
  const [language, interaction = null] = (cookie ?? '').split('.', 2)
  return isLanguage(language) ? { language, interaction } : null
}

/**
 * The language of the reader of a request: what the app prefers (`ui_locales`), then the choice of the signed-in user,
 * then the choice in this browser, then `Accept-Language`, then the default. A choice within the interaction that the
 * app began comes before its preference.
 */
export const readerLanguage = (
  request: FastifyRequest,
  chosen: ChosenLanguage | null,
  otherwise: Language,
): Language => {
  const { app = null, user = null, interaction = null } = wishes.get(request) ?? {}
  if (chosen && interaction !== null && chosen.interaction === interaction) return chosen.language
  const { ui_locales: queried } = (request.query ?? {}) as { ui_locales?: unknown }
  return (
    ofApp(app ?? queried) ??
    [user, chosen?.language].find(isLanguage) ??
    ofBrowser(request.headers['accept-language']) ??
    otherwise
  )
}
