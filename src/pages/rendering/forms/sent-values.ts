import csrf from '@fastify/csrf-protection'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withoutHidden } from '../../../core/language/display-text.ts'
import { OAuthError } from '../../../core/language/errors.ts'
import type { Limits } from '../../../core/limits/limits.ts'
import type { Browser } from '../../../http/browser/browser.ts'

const refused = (why: string) => new OAuthError('invalid_request', why, { reason: 'form_refused' })

/** The value of a field; the first one when the field is repeated. */
export const field = (request: FastifyRequest, name: string): string => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name]
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : ''
}

/** All values of a field, such as its ticked checkboxes. */
export const fields = (request: FastifyRequest, name: string): string[] => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name]
  return [value ?? []].flat().filter((one): one is string => typeof one === 'string' && one !== '')
}

const isLocal = (path: string) => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)

/** Reduces any input to a path of this server: no other host, no backslash, no control character. */
export const localPath = (value: string, base: string): string => {
  const { origin } = new URL(base)
  if (!isLocal(value) || !URL.canParse(value, origin)) return '/'
  const url = new URL(value, origin)
  const path = `${url.pathname}${url.search}`
  // Check again: with its dot segments removed, `/.//other.host` would name another host.
  return url.origin === origin && isLocal(path) ? path : '/'
}

/** An address as an opaque word, so that no page repeats the text of its own address. */
export const writeAddress = (address: string) => Buffer.from(address).toString('base64url')

/** The address in such a word; other words give text that is no path. */
export const readAddress = (word: string) => Buffer.from(word, 'base64url').toString()

/**
 * Form parsing and anti-forgery for every POST of a scope. The field `_csrf` is required. A foreign Origin or
 * Sec-Fetch-Site is refused whatever the field says. `Origin: null` is accepted because browsers send it under
 * no-referrer.
 */
export const protectForms = async (
  scope: FastifyInstance,
  browser: Browser,
  origins: readonly string[],
  hmacKey: string,
) => {
  await scope.register(formbody)
  await scope.register(csrf, {
    cookieKey: browser.cookie.csrf,
    cookieOpts: { ...browser.cookie.options, signed: true },
    csrfOpts: { hmacKey },
    getToken: (request) => field(request, '_csrf'),
    getUserInfo: (request) => browser.sessionMark(request),
  })

  scope.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'POST') return done()
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const isForeign =
      (origin !== undefined && origin !== 'null' && !origins.includes(origin)) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none')
    if (isForeign) return done(refused('the form was sent from another site'))
    scope.csrfProtection(request, reply, done)
  })
}

/** Signing out is always possible. */
const always = '/logout'

/**
 * Limits how many forms a user may send. It runs after the anti-forgery check: forms that another site makes a browser
 * send must not use up the user's limit. Visitors who are not signed in can only sign in, and that has its own limits.
 */
export const limitPosts = (
  scope: FastifyInstance,
  browser: Pick<Browser, 'session'>,
  limits: Pick<Limits, 'pagePosted'>,
) => {
  scope.addHook('preHandler', async (request) => {
    if (request.method !== 'POST' || request.routeOptions.url === always) return
    const session = await browser.session(request)
    if (session) await limits.pagePosted(session.user.id)
  })
}

/** True when the anti-forgery field is missing, wrong or from an earlier session. */
export const isOutOfDate = (error: unknown) =>
  String((error as { code?: unknown } | null)?.code).startsWith('FST_CSRF')

export const formError = (error: unknown): unknown =>
  isOutOfDate(error) ? refused('the form is out of date or was sent from another site') : error

/** The address that reloads the page of a refused form; null when the request was not a form. */
export const pageOfForm = (request: FastifyRequest): string | null => {
  if (request.method !== 'POST') return null
  const [path] = request.url.split('?', 1)
  const query = new URLSearchParams()
  for (const name of ['return_to', 'again']) {
    const value = field(request, name)
    if (value) query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query}` : `${path}`
}
/**
 * Words that a person has typed for others. Control characters are removed: a text column cannot store NUL, and a list must
 * not show any.
 */
export const plainText = (text: string, most: number) =>
  withoutHidden(text)
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .trim()
    .slice(0, most)

/** The value of a query parameter; empty unless it was sent exactly once. */
export const queried = (request: FastifyRequest, name: string): string => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
