import type { FastifyInstance } from 'fastify'
import { isLanguage } from '../../core/language/languages.ts'
import { causeOf } from '../../http/browser/browser.ts'
import { field, localPath, readAddress } from '../rendering/forms/sent-values.ts'
import type { PageServices } from '../sign-in/services.ts'

const path = '/language'

/** The interaction that a page belongs to, or to which it returns; null: none. */
const interactionIn = (returnTo: string) => {
  const { pathname, searchParams } = new URL(returnTo, 'http://localhost')
  const places = [pathname, ...searchParams.values()]
  return (
    places.map((one) => /^\/interaction\/([A-Za-z0-9_-]+)/.exec(one)?.[1]).find(Boolean) ?? null
  )
}

/** Takes the choice of a language in the footer of each page. It stays with the browser, and with a signed-in user. */
export const accountLanguage = (
  scope: FastifyInstance,
  { users, browser, origin }: PageServices,
) => {
  // Reloads a refused form.
  scope.get(path, (_request, reply) => reply.redirect('/', 303))

  scope.post(path, async (request, reply) => {
    const locale = field(request, 'locale')
    const returnTo = localPath(readAddress(field(request, 'return_to')), origin)
    const session = await browser.session(request)
    if (isLanguage(locale)) {
      browser.chooseLanguage(reply, locale, interactionIn(returnTo))
      if (session && session.locale !== locale) {
        const cause = { ...causeOf(request, session), rights: 'self' } as const
        await users.change(session.user.id, { locale }, cause)
      }
    }
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
  })
}
